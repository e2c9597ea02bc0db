/** Other documents, and this one anew: once the history stands on the page, as a step that is under way would stop them. */

let wait = (act: () => void): void => act();

/** Says what has to be waited for. */
export function leaveAfter(waits: (act: () => void) => void): void {
  wait = waits;
}

export const goTo = (address: string): void => wait(() => location.assign(address));

export const loadAnew = (): void => wait(() => location.reload());
