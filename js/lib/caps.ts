/** Caps: what they must be, and how they read; the same as crates/frame/src/terms/cap says. */
import type { CapRule, CapWindow } from "./api-types";
import { count, money } from "./format";
import { capLimits } from "./limits";
import { sentence, windowName, word } from "./terms-table";
import { picker, type Wrong } from "./terms-wrong";
import type { Locale } from "./types";

export const capWindows: readonly CapWindow[] = ["hour", "day", "week", "month", "total"];

/** Everything that is wrong; a place is the number of a cap. The values may be anything: a person is still typing. */
export function wrongCaps(caps: readonly CapRule[], locale: Locale): Wrong[] {
  const pick = picker(locale);
  const wrong: Wrong[] = [];
  if (caps.length > capLimits.mostCaps)
    wrong.push({ place: "", message: pick(`最多 ${capLimits.mostCaps} 条`, `At most ${capLimits.mostCaps} caps`) });
  caps.forEach((cap, index) => {
    const { window, weekday, maxCount, maxCents } = cap;
    const message =
      weekday !== null && (window !== "day" || weekday < 1 || weekday > 7)
        ? pick("只有每天的上限可以指定周几", "Only a daily cap can have a weekday")
        : maxCount === null && maxCents === null
          ? pick("请填写数量或金额", "Enter a count or an amount")
          : !inBounds(maxCount, capLimits.mostCount)
            ? pick("数量应在 1 到 10,000,000 之间", "The count must be between 1 and 10,000,000")
            : !inBounds(maxCents, capLimits.mostCents)
              ? pick("金额应在 0.01 到 1,000,000,000 元之间", "The amount must be between 0.01 and 1,000,000,000 CNY")
              : caps.slice(0, index).some((other) => other.window === window && other.weekday === weekday)
                ? pick("周期重复", "Duplicate period")
                : undefined;
    if (message) wrong.push({ place: String(index + 1), message });
  });
  return wrong;
}

/** Whether a count or an amount is none, or between 1 and `most`. */
export function inBounds(value: unknown, most: number): boolean {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most);
}

/** "每天最多 100 条；周六最多 20 条". */
export function capsSentence(caps: readonly CapRule[], locale: Locale): string {
  if (caps.length === 0) return sentence(word("noCaps", locale));
  return sentence(caps.map((cap) => capWords(cap, locale)).join(word("semicolon", locale)));
}

function capWords({ window, weekday, maxCount, maxCents }: CapRule, locale: Locale): string {
  const leads = typeof maxCount === "number" ? [word(maxCount === 1 ? "one" : "count", locale, { count: count(maxCount) })] : [];
  const yuan = typeof maxCents === "number" ? [`${money(maxCents).replace(/\.00$/, "")} ${word("yuan", locale)}`] : [];
  const most = [...leads, ...yuan].join(word("comma", locale)) || "…";
  return word("cap", locale, { window: windowName(window, weekday, locale), most });
}
