/**
 * A viewer's choices for a list: its density, its columns and their order, kept in local storage.
 * The server does not have them and renders the defaults; the browser applies the
 * choice right after hydration, so both render the same first.
 */
import { useCallback, useMemo, useSyncExternalStore } from "react";

import type { Field } from "./field";

/** Heights of a row, from tight to airy. */
export const DENSITIES = ["compact", "normal", "loose"] as const;
export type Density = (typeof DENSITIES)[number];

export interface ListChoice {
  density: Density;
  /** Columns by key that the viewer has shown or hidden. */
  columns: Readonly<Record<string, boolean>>;
  /** Keys of columns in the viewer's order; absent: the list's own. */
  order?: readonly string[] | undefined;
}

const DEFAULT: ListChoice = { density: "normal", columns: {} };

/** The viewer's choice for the list `name`, and the way to change it. */
export function useListChoice(name: string): [ListChoice, (choice: ListChoice) => void] {
  const key = `list:${name}`;
  const stored = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(key),
    () => null,
  );
  const choice = useMemo(() => parse(stored), [stored]);
  const choose = useCallback(
    (next: ListChoice) => {
      localStorage.setItem(key, JSON.stringify(next));
      // The browser sends the event to other tabs, but not to this one.
      dispatchEvent(new StorageEvent("storage", { key }));
    },
    [key],
  );
  return [choice, choose];
}

/** The fields that the list shows, in the viewer's order. The first names the row and is always there. */
export function shownFields<Row>(fields: readonly Field<Row>[], choice: ListChoice): Field<Row>[] {
  return inOrder(fields, choice.order).filter(
    (field, index) => field.list !== "never" && (index === 0 || (choice.columns[field.key] ?? field.list !== "hidden")),
  );
}

/** The fields in an order of keys; those that it does not name follow. The first stays the first. */
export function inOrder<Row>(fields: readonly Field<Row>[], order: readonly string[] | undefined): readonly Field<Row>[] {
  if (!order) return fields;
  const placeOf = ({ key }: Field<Row>) => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...fields.slice(0, 1), ...fields.slice(1).sort((one, other) => placeOf(one) - placeOf(other))];
}

/** The same items with one of them at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

function parse(stored: string | null): ListChoice {
  if (stored === null) return DEFAULT;
  try {
    const { density, columns, order } = JSON.parse(stored) as Partial<ListChoice>;
    return {
      density: density && DENSITIES.includes(density) ? density : DEFAULT.density,
      columns: columns ?? DEFAULT.columns,
      order: Array.isArray(order) ? order : undefined,
    };
  } catch {
    return DEFAULT; // written by another version, or by hand
  }
}
