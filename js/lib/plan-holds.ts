/** Why a plan takes no leads, in words. */
import type { PlanNow } from "./api-types";
import type { Translate } from "./i18n";

/** The reason of the pause, or what stops a running plan now; empty if it takes leads. */
export function whyNot({ pauseReason, pausedByOrg, rejectNote, holds }: PlanNow, t: Translate): string {
  return [
    ...(pauseReason ? [t(pausedByOrg ? "plan.hold.own" : `PauseReason.${pauseReason}`)] : []),
    ...(rejectNote ? [rejectNote] : []),
    ...holds.map((hold) => t(`plan.hold.${hold}`)),
  ].join(t("ui.comma"));
}
