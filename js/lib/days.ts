/** Days as `YYYY-MM-DD`, counted without a time zone; the current day in Shanghai comes from the server, or from `today`. */

import { format, ISO, parse } from "./day-text";

export { isDay, readDay } from "./day-text";

const DAY_MS = 24 * 3600 * 1000;

/** A stretch of days, both included. */
export interface Days {
  from: string;
  to: string;
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
