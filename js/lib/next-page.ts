/** A message that a page leaves for the next one to show: after a login, after a change of the language. */

const NAME = "note";
const NOTES = ["login.success", "shell.languageChanged", "password.done"] as const;

export type Note = (typeof NOTES)[number];

/** Leaves a message for the next page of this tab. */
export function leaveNote(note: Note): void {
  sessionStorage.setItem(NAME, note);
}

/** Takes the message that the previous page left; it is shown once. */
export function takeNote(): Note | undefined {
  const left = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return NOTES.find((note) => note === left);
}
