/** What a plan's status allows beside its steps, which are `planStatusSteps`. */
import type { PlanNow, PlanRow, PlanStatus } from "../../../lib/api-types";

/** Whether the plan may still be edited. */
export function isEditable(status: PlanStatus): boolean {
  return status !== "ended";
}

/** Whether it was approved, so that its terms change only by a decision. */
export function isApproved({ status }: { status: PlanStatus }): boolean {
  return status === "running" || status === "paused";
}

/** Whether its organisation may change any of its terms by itself. */
export function isAdjustable({ ownPriceMostCents, ownDayMost, ownHours, ownCities }: PlanRow): boolean {
  return ownPriceMostCents !== null || ownDayMost !== null || ownHours || ownCities;
}

/** Whether its organisation may change anything of it by itself. */
export function hasBounds(row: PlanRow): boolean {
  return row.ownPause || isAdjustable(row);
}

/** Whether it may be deleted: only one that never ran. */
export function isDeletable(status: PlanStatus): boolean {
  return status === "draft" || status === "rejected";
}

/** Whether the requested terms differ from those requested before. */
export const isNewRequest = (row: Pick<PlanNow, "change">, { change }: Pick<PlanRow, "change">): boolean =>
  change !== null && JSON.stringify(change) !== JSON.stringify(row.change);
