/** The password policy as far as a form can check it; the server has the last word. */

const MIN_LENGTH = 8;

/** Whether it is long enough. Only the server has the list of common passwords. */
export function isStrongPassword(password: string): boolean {
  return password.length >= MIN_LENGTH;
}
