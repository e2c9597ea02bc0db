/**
 * The tab bar's rules, without its look. A tab is one page: with another query it stays the same tab, which has
 * the latest address. The first tab is fixed. Lists are never changed in place.
 */

/** An open page. */
export interface Tab {
  title: string;
  /** Route name. */
  name: string;
  /** The latest path and query of the page: what the tab's link opens. */
  fullPath: string;
  query: Readonly<Record<string, string>>;
  /** The title is that of a record, the same in every language. */
  ofRecord?: boolean;
  /** The label of the filter that the address sets; absent if it sets none that has a label. */
  filter?: string | undefined;
}

/** What a tab is called: the title of its page, with its filter. */
export function nameOf({ title, filter }: Pick<Tab, "title" | "filter">): string {
  return filter ? `${title} · ${filter}` : title;
}

/** What is the same for all addresses of a page. */
export const pathOf = (fullPath: string): string => fullPath.split("?", 1)[0]!;

export type CloseKind = "this" | "left" | "right" | "others" | "all";

/** The list with `tab` in it: at its place if its page is open already, else at the end. */
export function openTab(tabs: readonly Tab[], tab: Tab): readonly Tab[] {
  const at = indexOf(tabs, tab.fullPath);
  if (at < 0) return [...tabs, tab];
  const { title, fullPath, filter } = tabs[at]!;
  const isSame = title === tab.title && fullPath === tab.fullPath && filter === tab.filter;
  return isSame ? tabs : tabs.map((old, i) => (i === at ? tab : old));
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
      if (title === undefined) return [];
      // The label of the filter is in the language of the stored title.
      return [title === tab.title ? tab : { ...tab, title, filter: undefined }];
    });
  } catch {
    return [];
  }
}

function isTab(tab: unknown): tab is Tab {
  const { title, name, fullPath, query, filter } = (tab ?? {}) as Partial<Record<keyof Tab, unknown>>;
  return (
    typeof title === "string" &&
    typeof name === "string" &&
    typeof fullPath === "string" &&
    /^\/(?![/\\])/.test(fullPath) &&
    typeof query === "object" &&
    query !== null &&
    (filter === undefined || typeof filter === "string")
  );
}

function indexOf(tabs: readonly Tab[], fullPath: string): number {
  return tabs.findIndex((tab) => pathOf(tab.fullPath) === pathOf(fullPath));
}
