/** Prices by applicant: what they must be, and how they read; the same as crates/frame/src/terms/price.rs says. */
import type { PriceRule } from "./api-types";
import { money } from "./format";
import { priceLimits } from "./limits";
import { rulesSentence, wrongRules } from "./rule-set";
import { sentence, word } from "./terms-table";
import { picker, type Wrong } from "./terms-wrong";
import type { Locale } from "./types";

/** Everything that is wrong; a place is the number of a price. The values may be anything: a person is still typing. */
export function wrongPrices(prices: readonly PriceRule[], locale: Locale): Wrong[] {
  const pick = picker(locale);
  const wrong: Wrong[] = [];
  if (prices.length > priceLimits.mostPrices)
    wrong.push({ place: "", message: pick(`最多 ${priceLimits.mostPrices} 条`, `At most ${priceLimits.mostPrices} prices`) });
  prices.slice(0, priceLimits.mostPrices).forEach(({ rules, priceCents }, index) => {
    const place = String(index + 1);
    if (!Number.isSafeInteger(priceCents) || priceCents < 1 || priceCents > priceLimits.mostCents) {
      wrong.push({ place, message: pick("价格应在 0.01 到 10,000 元之间", "The price must be between 0.01 and 10,000 CNY") });
    }
    for (const fault of wrongRules(rules, locale)) wrong.push({ ...fault, place: fault.place === "" ? place : `${place}.${fault.place}` });
  });
  return wrong;
}

/** "公务员：80 元；有房：60.50 元". */
export function pricesSentence(prices: readonly PriceRule[], locale: Locale): string {
  if (prices.length === 0) return sentence(word("noPrices", locale));
  const one = ({ rules, priceCents }: PriceRule) => {
    const yuan = typeof priceCents === "number" ? money(priceCents).replace(/\.00$/, "") : "…";
    return picker(locale)(`${rulesSentence(rules, locale)}：${yuan} 元`, `${rulesSentence(rules, locale)}: ${yuan} CNY`);
  };
  return sentence(prices.map(one).join(word("semicolon", locale)));
}
