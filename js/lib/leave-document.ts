/** Loads another document, or this one again, once the history is at the page's entry: a history step under way would cancel the load. */

let wait = (act: () => void): void => act();

/** Sets the function that delays a load until the history is ready. */
export function leaveAfter(waits: (act: () => void) => void): void {
  wait = waits;
}

export const goTo = (address: string): void => wait(() => location.assign(address));

export const loadAnew = (): void => wait(() => location.reload());
