/** A list's state lives in the address, under the names that the API's page calls take. */

import { useMemo } from "react";
import { formatQuery, parseQuery } from "./query-string";
import { useLocation } from "./visit";

export const DEFAULT_PAGE_SIZE = 20;
/** The API's own limit. */
export const MAX_PAGE_SIZE = 200;

/** Marks an address whose filters were left out because their values no longer exist. */
export const LEFT_OUT = "leftOut";

export type Order = "asc" | "desc";

export interface ListQuery {
  current: number;
  pageSize: number;
  /** Column that orders the list, or null for the list's own order. */
  sort: string | null;
  order: Order | null;
  /** Everything else in the address: filters by name, without empty ones. */
  filters: Readonly<Record<string, string>>;
}

/** Reads a list's state from the query part of an address. Nonsense falls back to the default. */
export function readListQuery(search: string): ListQuery {
  const { current, pageSize, sort, order, ...rest } = parseQuery(search);
  const filters: Record<string, string> = {};
  for (const name in rest) {
    const value = rest[name];
    if (value && name !== LEFT_OUT) filters[name] = value;
  }
  return {
    current: positive(current, 1),
    pageSize: Math.min(positive(pageSize, DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE),
    sort: sort || null,
    order: order === "asc" || order === "desc" ? order : null,
    filters,
  };
}

/**
 * The query part of an address for a list's state with some of it changed, defaults left out.
 * Any change except of the page number goes back to the first page.
 */
export function listSearch(query: ListQuery, change: Partial<ListQuery> = {}): string {
  const next = { ...query, ...change };
  const turnsPage = change.current !== undefined;
  const keepsRows = Object.keys(change).length === 0;
  const current = turnsPage || keepsRows ? next.current : 1;
  return formatQuery({
    ...next.filters,
    sort: next.sort,
    order: next.sort ? next.order : null,
    pageSize: next.pageSize === DEFAULT_PAGE_SIZE ? null : next.pageSize,
    current: current === 1 ? null : current,
  });
}

/** The state of the list on this page. */
export function useListQuery(): ListQuery {
  const { search } = useLocation();
  return useMemo(() => readListQuery(search), [search]);
}

function positive(text: string | undefined, fallback: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : fallback;
}
