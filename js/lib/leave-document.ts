/** Loads another document, or this one again, once the history stands on the page: a step under way would stop it. */

let wait = (act: () => void): void => act();

/** Says what has to be waited for. */
export function leaveAfter(waits: (act: () => void) => void): void {
  wait = waits;
}

export const goTo = (address: string): void => wait(() => location.assign(address));

export const loadAnew = (): void => wait(() => location.reload());
