/** The viewer's number of unread messages; fetched once a minute while the page is visible. */

import { api } from "../lib/api";
import type { Unread } from "../lib/api-types";
import { getToken } from "../lib/session";

/** The panel of messages, which opens from the bells that count them. */
export const MESSAGES_ID = "messages";

/** Between two calls, in milliseconds. */
const EVERY_MS = 60_000;

const NONE: Unread = { message: 0, notice: 0, todo: 0 };

let known = NONE;
const listeners = new Set<() => void>();

/** The same object until it changes; all counts are 0 before the first answer. */
export function unread(): Unread {
  return known;
}

/** What the server renders. */
export function noneUnread(): Unread {
  return NONE;
}

/** Keeps the counts of an answer. */
export function keepUnread(unread: Unread): void {
  known = unread;
  for (const listener of listeners) listener();
}

/** Calls `listener` after every change; returns a function that stops it. Made for `useSyncExternalStore`. */
export function onUnread(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fetches the counts now, then every minute, and when the page becomes visible again after more than a minute. */
export function followUnread(): void {
  let fetchedAt = 0;
  const refresh = () => {
    if (document.visibilityState !== "visible" || getToken() === null) return;
    fetchedAt = Date.now();
    // A failure is not shown: the user's next action will show it. The counts stay as they were.
    api.get<Unread>("/message/unread", undefined, { quiet: true }).then(keepUnread, () => undefined);
  };
  document.addEventListener("visibilitychange", () => {
    if (Date.now() - fetchedAt >= EVERY_MS) refresh();
  });
  setInterval(refresh, EVERY_MS);
  refresh();
}
