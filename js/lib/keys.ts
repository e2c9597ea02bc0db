/** Keys that are meant for an input method, and not for the page. */

/** The code of a key that an input method has taken. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method: the Enter that takes a candidate, arrows among them, the Escape that throws
 * them away. Safari ends the composition before it tells of the key that ended it; the code alone says so there.
 */
export const isComposing = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean => event.isComposing || event.keyCode === TAKEN;

/** Keeps such keys from everything that listens to keys, in this page and in its libraries. Once a document, first of all. */
export function leaveKeysToInputMethods(): void {
  for (const kind of ["keydown", "keyup"] as const) {
    addEventListener(kind, (event) => isComposing(event) && event.stopImmediatePropagation(), true);
  }
}
