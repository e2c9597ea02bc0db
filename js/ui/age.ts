/** A time of waiting in words, in its largest unit. */
import type { MessageKey, Translate } from "../lib/i18n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 min", "2 h", "5 d"; at least one minute. */
export function age(t: Translate, ms: number): string {
  const [unit, key]: [number, MessageKey] =
    ms >= DAY ? [DAY, "ui.age.days"] : ms >= HOUR ? [HOUR, "ui.age.hours"] : [MINUTE, "ui.age.minutes"];
  return t(key, { number: String(Math.max(1, Math.floor(ms / unit))) });
}
