/** Who may decide on what waits for a second person. */
import type { OpenDecision } from "./api-types";

interface Decided {
  decision: OpenDecision | null;
  createdBy?: number | null;
}

/** Whether an account made what is to be decided on: its makers may not decide. Without an open decision, the record's creator. */
export function isMaker({ decision, createdBy }: Decided, account: number): boolean {
  return decision ? decision.makers.includes(account) : createdBy === account;
}
