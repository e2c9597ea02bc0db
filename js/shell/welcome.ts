/** The greeting after a login: the login page leaves it for the page that follows. */

const NOTE = "welcome";

/** Asks the next page of this tab to greet. */
export function leaveWelcome(): void {
  sessionStorage.setItem(NOTE, "1");
}

/** Whether to greet; only once. */
export function takeWelcome(): boolean {
  const left = sessionStorage.getItem(NOTE) !== null;
  sessionStorage.removeItem(NOTE);
  return left;
}
