/**
 * Short messages at the top of the page. The list lives in the browser only: nothing here is
 * touched while the server renders, where every viewer's page passes through the same isolate.
 */

export type ToastKind = "success" | "error" | "info";

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

/** How long a message stays, in milliseconds. */
export const TOAST_MS = 5000;

const NONE: readonly Toast[] = [];

let shown: readonly Toast[] = NONE;
let nextId = 1;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/** Shows a message for five seconds. A message that is already on the page stays for the full time again. */
export function notify(kind: ToastKind, text: string): void {
  const same = shown.find((toast) => toast.kind === kind && toast.text === text);
  const id = same?.id ?? nextId++;
  if (!same) publish([...shown, { id, kind, text }]);
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => dismiss(id), TOAST_MS),
  );
}

/** Takes a message away before its time. */
export function dismiss(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  publish(shown.filter((toast) => toast.id !== id));
}

/** Calls `listener` after every change; returns a function that stops it. Made for `useSyncExternalStore`. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The messages on the page now, oldest first; the same array until something changes. */
export function toasts(): readonly Toast[] {
  return shown;
}

/** What the server renders: no message. */
export function serverToasts(): readonly Toast[] {
  return NONE;
}

function publish(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
