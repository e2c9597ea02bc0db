/** The password policy as far as a form can check it; the server has the last word. */

const MIN_LENGTH = 8;

/** Long enough. Which passwords are common, the server knows. */
export function isStrongPassword(password: string): boolean {
  return password.length >= MIN_LENGTH;
}
