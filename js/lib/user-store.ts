/**
 * What a browser knows of its user: who, in which role, by which token, all of it out of local
 * storage; and the state of this tab's poll for new leads, which lives as long as the tab.
 */

import { getToken } from "./session";

/** The poll's own part. */
interface PollState {
  /** Whether this tab polls now. */
  isTimers: boolean;
  /** How often it has asked since the page was opened. */
  timerNums: number;
  /** What the next question waits for. */
  timers: ReturnType<typeof setTimeout> | null;
}

export interface UserStore extends PollState {
  /** Empty for a stranger, as the role is. */
  readonly name: string;
  readonly role: string;
  readonly token: string | null;
}

export const userStore: UserStore = {
  get name() {
    return known().name ?? "";
  },
  get role() {
    return known().role ?? "";
  },
  get token() {
    return getToken();
  },
  isTimers: false,
  timerNums: 0,
  timers: null,
};

/** What login answered about the user; nothing when that is no longer there or not readable. */
function known(): { name?: string; role?: string } {
  try {
    return (JSON.parse(localStorage.getItem("user_info") ?? "{}") as { user?: object }).user ?? {};
  } catch {
    return {};
  }
}
