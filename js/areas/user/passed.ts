/** Why a round passed plans over, in words. */
import type { PassedPlans } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";

/** The most conditions in a sentence; the story names all of them. */
const MOST = 3;

/** A reason and how many plans it stopped, with the conditions that stopped the most of them. */
export function reasonText({ reason, plans, conditions }: PassedPlans, t: Translate): string {
  const whole = t("match.reasonCount", { reason: t(`PassedOver.${reason}`), count: plans.length });
  if (conditions.length === 0) return whole;
  const named = conditions.slice(0, MOST).map(({ text, planIds }) => t("match.conditionCount", { condition: text, count: planIds.length }));
  return t("match.reasonConditions", { reason: whole, conditions: named.join(t("ui.comma")) });
}
