/** What a saved view keeps of a list's query. */
import { presets } from "../../lib/days";
import type { ListQuery } from "../../lib/list-query";

/** The API's names of the ranges that move with today. */
const RANGES = { today: "today", yesterday: "yesterday", week: "week", days30: "days30", month: "month", lastMonth: "last_month" } as const;

/** Filters and order; days that are a usual range are kept as that range, which moves with today. */
export function kept({ filters, sort, order }: Pick<ListQuery, "filters" | "sort" | "order">, today: string): Record<string, string> {
  const { view: _view, dayFrom, dayTo, ...rest } = filters;
  const preset = presets(today).find(({ from, to }) => from === dayFrom && to === dayTo);
  return {
    ...rest,
    ...(preset ? { range: RANGES[preset.name] } : { ...(dayFrom && { dayFrom }), ...(dayTo && { dayTo }) }),
    ...(sort && { sort, ...(order && { order }) }),
  };
}
