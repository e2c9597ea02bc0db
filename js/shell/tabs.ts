/**
 * The tab bar's rules, without its look. A tab is one full path: the same page with another
 * query is another tab. The first tab is fixed. Lists are never changed in place.
 */

/** An open page. */
export interface Tab {
  title: string;
  /** Route name. */
  name: string;
  /** Path and query: what the tab's link opens. */
  fullPath: string;
  query: Readonly<Record<string, string>>;
  /** The title is that of a record, the same in every language. */
  ofRecord?: boolean;
}

export type CloseKind = "this" | "left" | "right" | "others" | "all";

/** The list with `tab` in it: at its place if its path is open already, else at the end. */
export function openTab(tabs: readonly Tab[], tab: Tab): readonly Tab[] {
  const at = indexOf(tabs, tab.fullPath);
  if (at < 0) return [...tabs, tab];
  return tabs[at]!.title === tab.title ? tabs : replaceAt(tabs, at, tab);
}

/**
 * The list after a page changed its own query by a filter, a sort or a page number: its tab follows,
 * so that it shows the last query and paging does not fill the bar.
 */
export function moveTab(tabs: readonly Tab[], from: string, tab: Tab): readonly Tab[] {
  const at = indexOf(tabs, from);
  if (at <= 0 || indexOf(tabs, tab.fullPath) >= 0) return openTab(tabs, tab);
  return replaceAt(tabs, at, tab);
}

/** Whether closing in this way would close anything. */
export function canClose(tabs: readonly Tab[], fullPath: string, kind: CloseKind): boolean {
  return closeTabs(tabs, fullPath, kind).length < tabs.length;
}

/** The tabs that stay when the tab of `fullPath`, or tabs around it, are closed. */
export function closeTabs(tabs: readonly Tab[], fullPath: string, kind: CloseKind): readonly Tab[] {
  const at = indexOf(tabs, fullPath);
  return tabs.filter((_, i) => {
    if (i === 0) return true;
    switch (kind) {
      case "this":
        return i !== at;
      case "left":
        return i >= at;
      case "right":
        return i <= at;
      case "others":
        return i === at;
      case "all":
        return false;
    }
  });
}

/**
 * Where to go when `active` is no longer among `left`: to the nearest tab on its left that stays,
 * with its query, or to the tab whose menu closed it (`origin`) if that one stays.
 */
export function nextActive(before: readonly Tab[], left: readonly Tab[], active: string, origin: string): string {
  if (indexOf(left, active) >= 0) return active;
  if (indexOf(left, origin) >= 0) return origin;
  for (let i = indexOf(before, active) - 1; i >= 0; i--) {
    if (indexOf(left, before[i]!.fullPath) >= 0) return before[i]!.fullPath;
  }
  return left[0]?.fullPath ?? active;
}

/**
 * Reads a stored list. `titleOf` names a tab's page in the viewer's language now, whatever it was called
 * when it was stored; tabs without a title are of routes that this viewer does not have, and are dropped.
 */
export function parseTabs(text: string | null, titleOf: (tab: Tab) => string | undefined): readonly Tab[] {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.filter(isTab).flatMap((tab) => {
      const title = titleOf(tab);
      return title === undefined ? [] : [{ ...tab, title }];
    });
  } catch {
    return [];
  }
}

function isTab(tab: unknown): tab is Tab {
  const { title, name, fullPath, query } = (tab ?? {}) as Partial<Record<keyof Tab, unknown>>;
  return (
    typeof title === "string" &&
    typeof name === "string" &&
    typeof fullPath === "string" &&
    /^\/(?![/\\])/.test(fullPath) &&
    typeof query === "object" &&
    query !== null
  );
}

function indexOf(tabs: readonly Tab[], fullPath: string): number {
  return tabs.findIndex((tab) => tab.fullPath === fullPath);
}

function replaceAt(tabs: readonly Tab[], at: number, tab: Tab): readonly Tab[] {
  return tabs.map((old, i) => (i === at ? tab : old));
}
