/** The changes of caps that the editor makes, without its look. */
import type { CapRule, CapWindow } from "../lib/api-types";

/** The windows that a new cap tries, the likeliest first. */
const likeliest: readonly CapWindow[] = ["day", "hour", "week", "month", "total"];

/** Adds a cap for a window without one; if all have one, for a weekday without one. */
export function capAdded(caps: readonly CapRule[]): CapRule[] {
  const free = (window: CapWindow, weekday: number | null) => !caps.some((cap) => cap.window === window && cap.weekday === weekday);
  const window = likeliest.find((window) => free(window, null));
  const weekday = window ? null : ([6, 7, 1, 2, 3, 4, 5].find((weekday) => free("day", weekday)) ?? null);
  return [...caps, { window: window ?? "day", weekday, maxCount: null, maxCents: null }];
}

/** Changes one cap; only the window "day" has weekdays. */
export function capChanged(caps: readonly CapRule[], index: number, changes: Partial<CapRule>): CapRule[] {
  return caps.map((cap, at) => {
    if (at !== index) return cap;
    const next = { ...cap, ...changes };
    return next.window === "day" ? next : { ...next, weekday: null };
  });
}

/** Removes one cap. */
export function capRemoved(caps: readonly CapRule[], index: number): CapRule[] {
  return caps.filter((_, at) => at !== index);
}
