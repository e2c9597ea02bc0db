/** The part of a list's query that a saved view keeps. */
import type { StatRange } from "../../../lib/api-types";
import { type Days, presets } from "../../../lib/days";
import type { ListQuery } from "../../../lib/list-query";

/** The API's names of the ranges that move with today, the likeliest first. */
const RANGES = [
  ["lastMonth", "last_month"],
  ["month", "month"],
  ["days30", "days30"],
  ["week", "week"],
  ["yesterday", "yesterday"],
  ["today", "today"],
] as const;

export interface Kept {
  /** Filters and order without the days. */
  query: Record<string, string>;
  /** The days of the query; null if it has none, or a moving range. */
  days: Days | null;
  /** The moving ranges that have these days today. */
  ranges: readonly StatRange[];
}

export function kept({ filters, sort, order }: Pick<ListQuery, "filters" | "sort" | "order">, today: string): Kept {
  const { view: _view, dayFrom, dayTo, ...rest } = filters;
  const query = { ...rest, ...(sort && { sort, ...(order && { order }) }) };
  const [from, to] = [dayFrom ?? dayTo, dayTo ?? dayFrom];
  if (from === undefined || to === undefined) return { query, days: null, ranges: [] };
  const usual = presets(today)
    .filter((days) => days.from === from && days.to === to)
    .map(({ name }) => name);
  return { query, days: { from, to }, ranges: RANGES.filter(([name]) => usual.includes(name)).map(([, range]) => range) };
}
