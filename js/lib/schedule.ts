/** A schedule: what it must be, and how it reads; the same as crates/frame/src/terms/schedule.rs says. */
import type { Schedule } from "./api-types";
import { scheduleLimits } from "./limits";
import { sentence, weekdayName, word } from "./terms-table";
import { picker, type Wrong } from "./terms-wrong";
import type { Locale } from "./types";

/** Minutes of a day: `[from, to)`. */
export type Span = [number, number];

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const DAY_MINUTES = 1440;

/** The spans of a weekday. */
export function spansOf(schedule: Schedule, weekday: number): readonly Span[] {
  return schedule[String(weekday)] ?? [];
}

/** Spans in order, those that meet made one, days without any left out. */
export function tidySchedule(schedule: Schedule): Schedule {
  const days = Object.entries(schedule).map(([weekday, spans]): [string, Span[]] => {
    const tidied: Span[] = [];
    for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
      const last = tidied.at(-1);
      if (last && last[1] === from) last[1] = to;
      else tidied.push([from, to]);
    }
    return [weekday, tidied];
  });
  return Object.fromEntries(days.filter(([, spans]) => spans.length > 0));
}

/** Everything that is wrong: by weekday, then by span. */
export function wrongSchedule(schedule: Schedule, locale: Locale): Wrong[] {
  const pick = picker(locale);
  const wrong: Wrong[] = [];
  if (Object.values(schedule).every((spans) => spans.length === 0)) {
    wrong.push({ place: "", message: pick("至少要有一个时段", "At least one time span is required") });
  }
  for (const [weekday, spans] of Object.entries(schedule)) {
    if (!WEEKDAYS.some((day) => String(day) === weekday)) {
      wrong.push({ place: weekday, message: pick("没有这一天", "This weekday does not exist") });
      continue;
    }
    if (spans.length > scheduleLimits.mostSpans)
      wrong.push({
        place: weekday,
        message: pick(`每天最多 ${scheduleLimits.mostSpans} 个时段`, `At most ${scheduleLimits.mostSpans} time spans per day`),
      });
    spans.forEach(([from, to], index) => {
      const place = `${weekday}.${index + 1}`;
      if (from >= to) wrong.push({ place, message: pick("结束要晚于开始", "The end must be after the start") });
      else if (to > DAY_MINUTES) wrong.push({ place, message: pick("最晚到 24:00", "Must end by 24:00") });
      else if (spans.slice(0, index).some(([other, until]) => other < to && from < until)) {
        wrong.push({ place, message: pick("时段重叠", "Overlaps another time span") });
      }
    });
  }
  return wrong;
}

/** "09:30"; the end of a day is "24:00". */
export function clockText(minute: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** "周一至周五 09:00–18:00；周六 10:00–16:00"; no schedule is at any time. */
export function scheduleSentence(schedule: Schedule | null, locale: Locale): string {
  const groups: { words: string; days: number[] }[] = [];
  for (const weekday of WEEKDAYS) {
    const spans = schedule ? spansOf(schedule, weekday) : [];
    if (spans.length === 0) continue;
    const words = spansWords(spans, locale);
    const group = groups.find((group) => group.words === words);
    if (group) group.days.push(weekday);
    else groups.push({ words, days: [weekday] });
  }
  const parts = groups.map(({ words, days }) => `${daysWords(days, locale)} ${words}`);
  return sentence(parts.length > 0 ? parts.join(word("semicolon", locale)) : word("noSchedule", locale));
}

/** Runs of three and more are "from to"; the whole week is every day. */
function daysWords(days: readonly number[], locale: Locale): string {
  if (days.length === WEEKDAYS.length) return word("everyDay", locale);
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run && run.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number) => weekdayName(day, locale);
  return runs
    .flatMap((run) => (run.length > 2 ? [`${name(run[0]!)}${word("to", locale)}${name(run.at(-1)!)}`] : run.map(name)))
    .join(word("comma", locale));
}

function spansWords(spans: readonly Span[], locale: Locale): string {
  const [first] = spans;
  if (spans.length === 1 && first?.[0] === 0 && first[1] === DAY_MINUTES) return word("allDay", locale);
  return spans.map(([from, to]) => `${clockText(from)}–${clockText(to)}`).join(word("comma", locale));
}
