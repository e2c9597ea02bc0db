/** Dates and times of a moment by arithmetic: a list has dozens, and `Date` makes an object and a long text for each. */

const DAY_MS = 24 * 3600 * 1000;

/** From 0000-01-01 to 2000-01-01. */
const DAYS_TO_2000 = 730_485;

/** The years 0000 to 9999, whose dates have ten characters. */
const [FIRST, END] = [Date.UTC(2000, 0, 1) - DAYS_TO_2000 * DAY_MS, Date.UTC(10_000, 0, 1)];

/** The date of a moment in UTC, "2026-11-21"; null outside the years 0000 to 9999. */
export function dateOf(ms: number): string | null {
  if (!(ms >= FIRST && ms < END)) return null;
  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years begin in March, in eras of 400.
  const days = Math.floor(ms / DAY_MS) + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year < 1000 ? String(year).padStart(4, "0") : year}-${two(month)}-${two(day)}`;
}

/** The time of day of a moment in UTC, "17:18". */
export function clockOf(ms: number): string {
  const minutes = Math.floor((ms - Math.floor(ms / DAY_MS) * DAY_MS) / 60_000);
  const minute = minutes % 60;
  return `${two((minutes - minute) / 60)}:${two(minute)}`;
}

/** The seconds of a moment, "04". */
export function secondsOf(ms: number): string {
  return two(Math.floor((ms - Math.floor(ms / 60_000) * 60_000) / 1000));
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
