/**
 * Which pages a pagination links to: the first, the last, and those around the
 * current one; null is a gap. The number of entries is the same on every page, so that the
 * links do not move under the pointer.
 */
export function pageWindow(current: number, last: number): (number | null)[] {
  const around = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  if (last <= 7) return around(1, last);
  if (current <= 4) return [...around(1, 5), null, last];
  if (current >= last - 3) return [1, null, ...around(last - 4, last)];
  return [1, null, ...around(current - 1, current + 1), null, last];
}
