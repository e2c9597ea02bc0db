/**
 * The last count of new leads and whether the notification about them is still open, in one entry of local storage that
 * all tabs share.
 */

import { LEAD_NEWS } from "../lib/session";

export interface LeadNews {
  /** Whose leads they are: another user of this browser has their own. */
  viewer: number;
  count: number;
  isOpen: boolean;
}

const listeners = new Set<() => void>();
let lastText: string | null = null;
let lastNews: LeadNews | null = null;

/** The entry; the same object until it changes. Null when there is none or it is not readable. */
export function leadNews(): LeadNews | null {
  const text = localStorage.getItem(LEAD_NEWS);
  if (text !== lastText) {
    lastText = text;
    lastNews = text === null ? null : parse(text);
  }
  return lastNews;
}

export function keepLeadNews(news: LeadNews): void {
  localStorage.setItem(LEAD_NEWS, JSON.stringify(news));
  for (const listener of listeners) listener();
}

/** Calls `listener` when the entry changes, here or in another tab; made for `useSyncExternalStore`. */
export function onLeadNews(listener: () => void): () => void {
  const stored = ({ key }: StorageEvent) => {
    if (key === LEAD_NEWS || key === null) listener();
  };
  listeners.add(listener);
  addEventListener("storage", stored);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", stored);
  };
}

/**
 * The entry after an answer, and whether it is news: more leads than last time. The same number, or a smaller one, gives
 * no new notification; an open one stays until the user closes it.
 */
export function afterAnswer(before: LeadNews | null, viewer: number, count: number): { news: LeadNews; isNew: boolean } {
  const known = before?.viewer === viewer ? before : { viewer, count: 0, isOpen: false };
  const isNew = count > known.count;
  return { news: { viewer, count, isOpen: known.isOpen || isNew }, isNew };
}

function parse(text: string): LeadNews | null {
  try {
    const { viewer, count, isOpen } = JSON.parse(text) as Partial<LeadNews>;
    return typeof viewer === "number" && typeof count === "number" ? { viewer, count, isOpen: isOpen === true } : null;
  } catch {
    return null;
  }
}
