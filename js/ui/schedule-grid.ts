/**
 * The changes of a schedule that the editor makes, without its look: half hours painted in a
 * week, and spans typed.
 */
import type { Schedule } from "../lib/api-types";
import { clockText, DAY_MINUTES, type Span, spansOf, tidySchedule, WEEKDAYS } from "../lib/schedule";

/** Half hours of a day. */
export const SLOTS = 48;
const SLOT_MINUTES = 30;

/** A half hour of the week. */
export interface Cell {
  /** 1 is Monday. */
  weekday: number;
  slot: number;
}

/** When a half hour begins, and when it ends. */
export function slotSpan(slot: number): Span {
  return [slot * SLOT_MINUTES, (slot + 1) * SLOT_MINUTES];
}

/** Whether a half hour is open: all of it, part of it, or none. */
export function slotState(spans: readonly Span[], slot: number): "on" | "part" | "off" {
  const [from, to] = slotSpan(slot);
  const minutes = spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from)), 0);
  return minutes === 0 ? "off" : minutes >= SLOT_MINUTES ? "on" : "part";
}

/** The schedule with the rectangle between two half hours opened, or closed. */
export function painted(schedule: Schedule, a: Cell, b: Cell, on: boolean): Schedule {
  const [firstDay, lastDay] = ordered(a.weekday, b.weekday);
  const [firstSlot, lastSlot] = ordered(a.slot, b.slot);
  const span: Span = [slotSpan(firstSlot)[0], slotSpan(lastSlot)[1]];
  const next: Schedule = { ...schedule };
  for (const weekday of WEEKDAYS) {
    if (weekday < firstDay || weekday > lastDay) continue;
    const rest = without(spansOf(schedule, weekday), span);
    next[String(weekday)] = on ? [...rest, span] : rest;
  }
  return tidySchedule(next);
}

/** The schedule with other spans on a weekday. */
export function withSpans(schedule: Schedule, weekday: number, spans: readonly Span[]): Schedule {
  return tidySchedule({ ...schedule, [String(weekday)]: [...spans] });
}

/** The same span on some weekdays. */
export function sameOn(weekdays: readonly number[], span: Span): Schedule {
  return Object.fromEntries(weekdays.map((weekday) => [String(weekday), [span]]));
}

/** The span of a text that cannot be read as spans; it cannot be saved. */
export const UNREADABLE: Span = [0, 0];

/** Reads typed spans, "9:00-12:00, 13:30–18:00"; `UNREADABLE` if the text has another form. */
export function parseSpans(typed: string): Span[] {
  const parts = typed
    .split(/[,，、;；]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const spans = parts.map((part): Span | null => {
    const [, fromHour, fromMinute, toHour, toMinute] = /^(\d{1,2})[:：](\d\d)\s*[-–—~～至]\s*(\d{1,2})[:：](\d\d)$/.exec(part) ?? [];
    if (Number(fromMinute) > 59 || Number(toMinute) > 59) return null;
    const [from, to] = [Number(fromHour) * 60 + Number(fromMinute), Number(toHour) * 60 + Number(toMinute)];
    return Number.isInteger(from) && Number.isInteger(to) ? [from, to] : null;
  });
  return spans.every((span) => span !== null) ? spans : [UNREADABLE];
}

/** Whether a weekday's spans stand for a text that could not be read. */
export function isUnreadable(spans: readonly Span[]): boolean {
  return spans.some(([from, to]) => from === UNREADABLE[0] && to === UNREADABLE[1]);
}

/** Spans as text to edit. */
export function spansText(spans: readonly Span[]): string {
  return isUnreadable(spans) ? "" : spans.map(([from, to]) => `${clockText(from)}-${clockText(to)}`).join(", ");
}

function without(spans: readonly Span[], [from, to]: Span): Span[] {
  return spans.flatMap(([a, b]): Span[] => {
    if (b <= from || a >= to) return isUnreadable([[a, b]]) ? [] : [[a, b]];
    const parts: Span[] = [
      [a, from],
      [to, b],
    ];
    return parts.filter(([start, end]) => start < end);
  });
}

function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}

/** The half hour to which a key moves from another, or null if the key does not move. */
export function movedBy(key: string, { weekday, slot }: Cell): Cell | null {
  const clamp = (number: number, least: number, most: number) => Math.min(most, Math.max(least, number));
  switch (key) {
    case "ArrowLeft":
      return { weekday, slot: clamp(slot - 1, 0, SLOTS - 1) };
    case "ArrowRight":
      return { weekday, slot: clamp(slot + 1, 0, SLOTS - 1) };
    case "ArrowUp":
      return { weekday: clamp(weekday - 1, 1, 7), slot };
    case "ArrowDown":
      return { weekday: clamp(weekday + 1, 1, 7), slot };
    case "Home":
      return { weekday, slot: 0 };
    case "End":
      return { weekday, slot: SLOTS - 1 };
    default:
      return null;
  }
}

/** A whole day. */
export const WHOLE_DAY: Span = [0, DAY_MINUTES];
