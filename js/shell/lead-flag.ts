/** Whether this browser polls for new leads: the local flag `isRefresh`. */

const FLAG = "isRefresh";

const listeners = new Set<() => void>();

export function isLeadPollOn(): boolean {
  return localStorage.getItem(FLAG) === "true";
}

export function setLeadPoll(on: boolean): void {
  localStorage.setItem(FLAG, String(on));
  for (const listener of listeners) listener();
}

/** Calls `listener` when the flag may have changed, here or in another tab; returns a function that stops it. */
export function onLeadPoll(listener: () => void): () => void {
  const stored = ({ key }: StorageEvent) => {
    if (key === FLAG || key === null) listener();
  };
  listeners.add(listener);
  addEventListener("storage", stored);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", stored);
  };
}
