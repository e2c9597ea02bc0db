/** The bounds within which an organisation changes its plan by itself, in words. */
import type { PlanRow } from "../../../lib/api-types";
import { count, money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

/** The terms that the organisation may change by itself. */
export function adjustable({ ownPriceMostCents, ownDayMost, ownHours, ownCities }: PlanRow): ReadonlySet<string> {
  const terms = { priceCents: ownPriceMostCents !== null, caps: ownDayMost !== null, schedule: ownHours, cities: ownCities };
  return new Set(Object.entries(terms).flatMap(([name, may]) => (may ? [name] : [])));
}

/** "price 25.00 to 50.00 CNY, at most 120 leads a day, hours". */
export function boundsText(
  { ownPriceLeastCents, ownPriceMostCents, ownDayMost, ownHours, ownCities, ownPause }: PlanRow,
  t: Translate,
): string {
  return [
    ownPriceLeastCents !== null &&
      ownPriceMostCents !== null &&
      t("plan.bound.price", { least: money(ownPriceLeastCents), most: money(ownPriceMostCents) }),
    ownDayMost !== null && t("plan.bound.day", { most: count(ownDayMost) }),
    ownHours && t("plan.bound.hours"),
    ownCities && t("plan.bound.cities"),
    ownPause && t("plan.bound.pause"),
  ]
    .filter((bound) => bound !== false)
    .join(t("ui.comma"));
}
