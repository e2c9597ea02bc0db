/** What a plan's status allows beside its steps, which are `planStatusSteps`. */
import type { PlanStatus } from "../../../lib/api-types";

/** Whether the plan may still be edited. */
export function isEditable(status: PlanStatus): boolean {
  return status !== "ended";
}

/** Whether it was approved, so that its terms change only by a decision. */
export function isApproved({ status }: { status: PlanStatus }): boolean {
  return status === "running" || status === "paused";
}

/** Whether it may be deleted: only one that never ran. */
export function isDeletable(status: PlanStatus): boolean {
  return status === "draft" || status === "rejected";
}
