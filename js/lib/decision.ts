/** Who may decide on what waits for a second person. */
import type { OpenDecision } from "./api-types";

interface Decided {
  decision: OpenDecision | null;
  createdBy?: number | null;
}

/** Whether an account wrote what is decided on: none of its makers decides. Without an open decision it is the one who created the record. */
export function isMaker({ decision, createdBy }: Decided, account: number): boolean {
  return decision ? decision.makers.includes(account) : createdBy === account;
}
