/** Moments as people type them. */
import { halfWidth, trimmed } from "./canonical";
import { isDay, readDay } from "./day-text";

/** A day and a time as people type them to epoch milliseconds, or null when they are no moment. */
export function parseMoment(typed: string): number | null {
  const [, day = "", hour = "", rest = ""] = /^(.+?)(?:T|\s+)(\d\d?)(:\d\d(?::\d\d)?)$/.exec(trimmed(halfWidth(typed))) ?? [];
  const ms = isDay(readDay(day)) ? Date.parse(`${readDay(day)}T${hour.padStart(2, "0")}${rest}+08:00`) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
