/** The password policy as far as a form can check it; the server has the last word. */

const MIN_LENGTH = 8;

/** Long enough, with a letter and a digit. */
export function isStrongPassword(password: string): boolean {
  return password.length >= MIN_LENGTH && /[a-z]/i.test(password) && /\d/.test(password);
}
