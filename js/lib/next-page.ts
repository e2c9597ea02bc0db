/** What a page leaves for the one that replaces it to say: after a login, after a change of the language. */

const NAME = "note";
const NOTES = ["login.success", "shell.languageChanged"] as const;

export type Note = (typeof NOTES)[number];

/** Asks the next page of this tab to say something. */
export function leaveNote(note: Note): void {
  sessionStorage.setItem(NAME, note);
}

/** What the page before has left; only once. */
export function takeNote(): Note | undefined {
  const left = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return NOTES.find((note) => note === left);
}
