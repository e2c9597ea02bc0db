/** How a plan's status may change, and by which step; the server refuses everything else with 1006. */
import type { PlanStatus } from "../../lib/api-types";

const steps: Readonly<Record<PlanStatus, readonly PlanStatus[]>> = {
  draft: ["pending"],
  pending: [],
  running: ["paused", "ended"],
  paused: ["running", "ended"],
  ended: [],
  rejected: ["draft"],
};

/** Whether who works on a plan may put it from one status into another. A pending one waits for a decision. */
export function mayBecome(from: PlanStatus, to: PlanStatus): boolean {
  return steps[from].includes(to);
}

/** Whether what it says may still be changed. */
export function isEditable(status: PlanStatus): boolean {
  return status !== "ended";
}

/** Whether it was approved once, so that its terms change by a decision alone. */
export function isApproved({ status }: { status: PlanStatus }): boolean {
  return status === "running" || status === "paused";
}

/** Whether it may be deleted: only one that never ran. */
export function isDeletable(status: PlanStatus): boolean {
  return status === "draft" || status === "rejected";
}
