/**
 * The user of this browser: name, role and token, all read from local
 * storage; and the state of this tab's poll for new leads, which exists as long as the tab.
 */

import { getToken, keptUser } from "./session";

/** The state of the poll. */
interface PollState {
  /** Whether this tab polls now. */
  isTimers: boolean;
  /** The number of calls since the page was opened. */
  timerNums: number;
  /** The timer of the next call. */
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
    return keptUser()?.name ?? "";
  },
  get role() {
    return keptUser()?.role ?? "";
  },
  get token() {
    return getToken();
  },
  isTimers: false,
  timerNums: 0,
  timers: null,
};
