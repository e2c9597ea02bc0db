/**
 * The scroll position of each tab. Going back to a tab restores it; any other
 * navigation begins at the top.
 */

import { useLayoutEffect } from "react";
import { useLocation } from "../lib/visit";

const STORE = "scroll";
/** More than users keep open. */
const MOST = 100;

/** How far the page is scrolled down, and its table down and to the right, in CSS pixels. */
type Position = readonly [page: number, down: number, right: number];

const TOP: Position = [0, 0, 0];

/** The state of a navigation from the tab bar. */
export const FROM_TAB = { fromTab: true } as const;

export function isFromTab(state: unknown): boolean {
  return typeof state === "object" && state !== null && "fromTab" in state;
}

/** Notes how far the page of a full path is scrolled. */
export function keepScroll(fullPath: string): void {
  const { [fullPath]: _, ...others } = read();
  const { scrollTop = 0, scrollLeft = 0 } = table() ?? {};
  const position = [scrollY, scrollTop, scrollLeft].map(Math.round);
  const entries = [...Object.entries(others).slice(1 - MOST), [fullPath, position] as const];
  sessionStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries)));
}

/** Restores the scroll position of a page that a tab opened, once it is drawn. */
export function useTabScroll(): void {
  const { pathname, search, state, key } = useLocation();
  useLayoutEffect(() => {
    if (!isFromTab(state)) return;
    const [page, down, right] = read()[pathname + search] ?? TOP;
    scrollTo(0, page);
    table()?.scrollTo(right, down);
  }, [pathname, search, state, key]);
}

/** A list's rows scroll in a box of their own. */
function table(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main .ll-table-box");
}

function read(): Record<string, Position> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "{}") as Record<string, Position>;
  } catch {
    return {};
  }
}
