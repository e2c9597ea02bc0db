/** Keys that an input method handles: the page ignores them. */

/** The key code that browsers give to a key that an input method has handled. */
const TAKEN = 229;

/**
 * Whether an input method handles a key: Enter that takes a candidate, arrows between candidates, Escape that cancels. Safari
 * ends the composition before it sends the key; there only the key code shows it.
 */
export const isComposing = (event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean => event.isComposing || event.keyCode === TAKEN;

/** Stops such keys before any other listener of the page or its libraries. Call it once for each document, first. */
export function leaveKeysToInputMethods(): void {
  for (const kind of ["keydown", "keyup"] as const) {
    addEventListener(kind, (event) => isComposing(event) && event.stopImmediatePropagation(), true);
  }
}
