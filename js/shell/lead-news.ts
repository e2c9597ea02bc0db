/**
 * What is known of new leads, one note in local storage for all tabs: how many there were last, and
 * whether the notification about them is still open.
 */

import { LEAD_NEWS } from "../lib/session";

export interface LeadNews {
  /** Whose they are: another person of this browser has leads of his own. */
  viewer: number;
  count: number;
  isOpen: boolean;
}

const listeners = new Set<() => void>();
let lastText: string | null = null;
let lastNews: LeadNews | null = null;

/** The note; the same object until it changes. Null when there is none or it is not readable. */
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

/** Calls `listener` when the note changes, here or in another tab; made for `useSyncExternalStore`. */
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
 * The note after an answer, and whether it is news: more leads than last time. The same ones, or
 * fewer, are not told again; the notification stays until somebody closes it.
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
