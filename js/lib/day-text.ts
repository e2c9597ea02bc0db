/** Days as texts: `YYYY-MM-DD`, and as people type them. Copied into each file that needs it (parts.mjs). */
import { halfWidth, trimmed } from "./canonical";
import { dateOf } from "./civil";

export const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Milliseconds of a day's beginning; NaN for a text that is no day, such as 2026-02-30. */
export function parse(day: string): number {
  const [, year, month, date] = ISO.exec(day) ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  return format(at) === day ? at : Number.NaN;
}

export function format(at: number): string {
  return dateOf(at) ?? "";
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return !Number.isNaN(parse(text));
}

/** A day as people type it, as `YYYY-MM-DD`: 2026/1/5, 2026.1.5 and 20260105 are the fifth of January. Other texts stay as they are. */
export function readDay(typed: string): string {
  const text = trimmed(halfWidth(typed));
  const [, year, month, date] =
    /^(\d{4})\s*[-\u2010-\u2015\u2212\ufe58\ufe63/.年]\s*(\d{1,2})\s*[-\u2010-\u2015\u2212\ufe58\ufe63/.月]\s*(\d{1,2})\s*[日号]?$/.exec(
      text,
    ) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    [];
  return year && month && date ? `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}` : text;
}
