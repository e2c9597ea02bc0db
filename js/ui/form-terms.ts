/**
 * Fields and rules of terms, for forms that have them: the text of a field of the kinds "rules", "schedule",
 * "caps" and "prices", and the check of its JSON.
 *
 *     fields: [{ name: "filters", label: "channel.filters", ...termsField.rules, wide: true }]
 *     schema: z.object({ filters: termsRules(t).rules() })
 */
import type { CapRule, PriceRule, RuleSet, Schedule } from "../lib/api-types";
import { capsSentence, wrongCaps } from "../lib/caps";
import { localeOf, type Translate } from "../lib/i18n";
import { pricesSentence, wrongPrices } from "../lib/price-rules";
import { rulesSentence, wrongRules } from "../lib/rule-set";
import { scheduleSentence, tidySchedule, wrongSchedule } from "../lib/schedule";
import type { RulesOf } from "../lib/terms-table";
import { type Wrong as Fault, wrongText } from "../lib/terms-wrong";
import type { Locale } from "../lib/types";
import { parsed, Wrong } from "./form-rules";
import { valueOf } from "./terms-editor";

/** A field of each kind, without its name and its label. */
export const termsField = {
  rules: { kind: "rules", words: (value: unknown, t: Translate) => rulesSentence(value as RuleSet | null, localeOf(t)) },
  /** Rules that describe visitors, whose past is unknown. */
  visitorRules: {
    kind: "rules",
    of: "visitor",
    words: (value: unknown, t: Translate) => rulesSentence(value as RuleSet | null, localeOf(t)),
  },
  schedule: { kind: "schedule", words: (value: unknown, t: Translate) => scheduleSentence(value as Schedule | null, localeOf(t)) },
  caps: { kind: "caps", words: (value: unknown, t: Translate) => capsSentence((value as CapRule[] | null) ?? [], localeOf(t)) },
  prices: { kind: "prices", words: (value: unknown, t: Translate) => pricesSentence((value as PriceRule[] | null) ?? [], localeOf(t)) },
} as const;

/** From an editor's JSON to the value that is sent; empty terms are null, empty caps and prices an empty list. */
export function termsRules(t: Translate) {
  const locale = localeOf(t);
  const checked = <Value>(wrong: (value: Value, locale: Locale) => Fault[]) =>
    parsed((text): Value | null | Wrong => {
      const value = valueOf<Value>(text);
      const faults = value === null ? [] : wrong(value, locale);
      return faults.length > 0 ? new Wrong(wrongText(faults, locale)) : value;
    });
  const list = <Item>(wrong: (items: Item[], locale: Locale) => Fault[]) =>
    parsed((text): Item[] | Wrong => {
      const items = valueOf<Item[]>(text) ?? [];
      const faults = wrong(items, locale);
      return faults.length > 0 ? new Wrong(wrongText(faults, locale)) : items;
    });
  return {
    rules: (of: RulesOf = "applicant") => checked<RuleSet>((rules, locale) => wrongRules(rules, locale, of)),
    schedule: () => checked<Schedule>((schedule) => wrongSchedule(tidySchedule(schedule), locale)),
    caps: () => list<CapRule>(wrongCaps),
    prices: () => list<PriceRule>(wrongPrices),
  };
}
