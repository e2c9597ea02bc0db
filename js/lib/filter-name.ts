/** The filter of the open page by which its tab is named: a list says it, and the tab bar reads it. */
import { useLayoutEffect, useSyncExternalStore } from "react";

/** The address of the page and the label of its filter. */
let latest: { of: string; label: string | undefined } | undefined;
const listeners = new Set<() => void>();

/** Names the filter that the page at an address has, in the browser; undefined if it has none with a name. */
export function useNamedFilter(of: string, label: string | undefined): void {
  useLayoutEffect(() => {
    latest = { of, label };
    for (const listener of listeners) listener();
  }, [of, label]);
}

/** The label of the filter of the page at an address. */
export function useFilterName(of: string): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => (latest?.of === of ? latest.label : undefined),
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
