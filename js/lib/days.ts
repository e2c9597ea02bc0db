/** Days as `YYYY-MM-DD`, counted without a time zone; the current day in Shanghai comes from the server, or from `today`. */

import { halfWidth, trimmed } from "./canonical";
import { dateOf } from "./civil";

const DAY_MS = 24 * 3600 * 1000;
const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A stretch of days, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Milliseconds of a day's beginning; NaN for a text that is no day, such as 2026-02-30. */
function parse(day: string): number {
  const [, year, month, date] = ISO.exec(day) ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  return format(at) === day ? at : Number.NaN;
}

function format(at: number): string {
  return dateOf(at) ?? "";
}

export function isDay(text: string): boolean {
  return !Number.isNaN(parse(text));
}

/** The day so many days later; earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return format(parse(day) + days * DAY_MS);
}

/** The day of the month so many months later: the last one where that month is too short. */
export function addMonths(day: string, months: number): string {
  const [, year, month, date] = ISO.exec(day) ?? [];
  const last = new Date(Date.UTC(Number(year), Number(month) + months, 0));
  return format(last.setUTCDate(Math.min(Number(date), last.getUTCDate())));
}

/** The day of the week, from 0 for Monday. */
export function weekday(day: string): number {
  return (new Date(parse(day)).getUTCDay() + 6) % 7;
}

/** The weeks that a day's month touches, from Monday to Sunday. */
export function weeksOf(day: string): string[][] {
  const first = `${day.slice(0, 7)}-01`;
  const monday = addDays(first, -weekday(first));
  const last = addDays(addMonths(first, 1), -1);
  const weeks = [];
  for (let start = monday; start <= last; start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(start, i)));
  }
  return weeks;
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

/** The usual ranges, offered as links; `today` is the current day. */
export function presets(today: string): ReadonlyArray<Days & { name: "today" | "yesterday" | "week" | "days30" | "month" | "lastMonth" }> {
  const first = `${today.slice(0, 7)}-01`;
  const yesterday = addDays(today, -1);
  return [
    { name: "today", from: today, to: today },
    { name: "yesterday", from: yesterday, to: yesterday },
    { name: "week", from: addDays(today, -6), to: today },
    { name: "days30", from: addDays(today, -29), to: today },
    { name: "month", from: first, to: today },
    { name: "lastMonth", from: addMonths(first, -1), to: addDays(first, -1) },
  ];
}
