/** The pages looked at last in this window, for the command palette. */

import type { Tab } from "./tabs";

const STORE = "recent";
const MOST = 8;

/** A page with the filters it was looked at with. */
export interface RecentPage {
  title: string;
  fullPath: string;
  /** The filters of the page, as a text; empty if there are none. */
  detail: string;
}

/** The list, latest first. */
export function recentPages(): readonly RecentPage[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
    return Array.isArray(list) ? list.filter(isRecent) : [];
  } catch {
    return [];
  }
}

/** Puts a page at the head of the list. */
export function noteRecent({ title, fullPath, query }: Tab): void {
  const page = { title, fullPath, detail: Object.values(query).join(" ") };
  const others = recentPages().filter((other) => other.fullPath !== fullPath);
  sessionStorage.setItem(STORE, JSON.stringify([page, ...others].slice(0, MOST)));
}

function isRecent(page: unknown): page is RecentPage {
  const { title, fullPath, detail } = (page ?? {}) as Partial<Record<keyof RecentPage, unknown>>;
  return typeof title === "string" && typeof detail === "string" && typeof fullPath === "string" && /^\/(?![/\\])/.test(fullPath);
}
