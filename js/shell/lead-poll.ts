/**
 * Fetches the number of new leads every three seconds, as long as the flag `isRefresh` is set, a
 * token is there and the page is visible. Only one of the visible tabs polls.
 */

import { api, ApiError } from "../lib/api";
import { userStore } from "../lib/user-store";
import { isLeadPollOn, onLeadPoll } from "./lead-flag";

/** Pause between two calls, in milliseconds; and the longest pause, when no answers come. */
export const POLL_MS = 3000;
export const SLOWEST_MS = 60_000;

/** The tab that holds this lock polls. */
const LOCK = "leadlane.leads";
const EXPIRED = "2000";

/** Calls `onCount` with every answer; returns a function that stops the poll. */
export function pollLeads(onCount: (count: number) => void): () => void {
  let turn: AbortController | null = null;
  const update = () => {
    const wanted = isWanted() && document.visibilityState === "visible";
    if (wanted && !turn) {
      const mine = (turn = new AbortController());
      void takeTurn(mine.signal, onCount).finally(() => {
        if (turn === mine) turn = null;
      });
    } else if (!wanted && turn) {
      turn.abort();
      turn = null;
    }
  };
  document.addEventListener("visibilitychange", update);
  const unfollow = onLeadPoll(update);
  update();
  return () => {
    document.removeEventListener("visibilitychange", update);
    unfollow();
    turn?.abort();
  };
}

function isWanted(): boolean {
  return isLeadPollOn() && userStore.token !== null;
}

/** Waits until no other tab polls, then polls until `signal` ends it. Without locks every visible tab does. */
async function takeTurn(signal: AbortSignal, onCount: (count: number) => void): Promise<void> {
  try {
    // Only secure origins have locks; many offices serve plain http.
    if (navigator.locks) await navigator.locks.request(LOCK, { signal }, () => poll(signal, onCount));
    else await poll(signal, onCount);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function poll(signal: AbortSignal, onCount: (count: number) => void): Promise<void> {
  let wait = POLL_MS;
  userStore.isTimers = true;
  try {
    while (!signal.aborted && isWanted()) {
      userStore.timerNums += 1;
      try {
        onCount(await api.get<number>("/crm/getNewUserCount", undefined, { quiet: true, signal }));
        wait = POLL_MS;
      } catch (error) {
        // The client reports an expired login; polling ends with it.
        if (signal.aborted || (error instanceof ApiError && error.code === EXPIRED)) return;
        wait = slower(wait);
      }
      await pause(wait, signal);
    }
  } finally {
    userStore.isTimers = false;
  }
}

/** The wait after one that brought no answer. */
export function slower(wait: number): number {
  return Math.min(wait * 2, SLOWEST_MS);
}

/** Waits; an abort ends it at once. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(userStore.timers ?? undefined);
      userStore.timers = null;
      signal.removeEventListener("abort", done);
      resolve();
    };
    userStore.timers = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
