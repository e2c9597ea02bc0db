/** Starts the poll for new leads. */

import type { App } from "../lib/app-context";
import { isLeadPollOn, onLeadPoll } from "./lead-flag";

/** Loads the poll when the page is idle if the flag is set, else as soon as it is set. */
export function followLeads(app: App): void {
  let isLoading = false;
  const begin = () => {
    if (isLoading || !isLeadPollOn()) return;
    isLoading = true;
    void import("./lead-watch").then(({ watchLeads }) => watchLeads(app), console.warn);
  };
  onLeadPoll(begin);
  if ("requestIdleCallback" in window) requestIdleCallback(begin);
  else setTimeout(begin);
}
