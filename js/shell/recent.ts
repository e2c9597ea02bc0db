/**
 * What was looked at last, for the palette: pages of this window, and records, which stay in this browser until the account signs out.
 */

import { RECENT_RECORDS } from "../lib/session";
import type { Viewer } from "../lib/types";
import type { Tab } from "./tabs";

const STORE = "recent";
const MOST = 8;

/** A page with the filters it was looked at with, or the page of a record. */
export interface RecentPage {
  title: string;
  fullPath: string;
  /** The filters of the page, as a text, or what kind of record it is; empty if there is nothing to say. */
  detail: string;
}

/** The pages of this window, latest first. */
export function recentPages(): readonly RecentPage[] {
  return parse(sessionStorage.getItem(STORE)).filter(isRecent);
}

/** Puts a page at the head of its list. */
export function noteRecent({ title, fullPath, query }: Tab): void {
  const page = { title, fullPath, detail: Object.values(query).join(" ") };
  sessionStorage.setItem(STORE, JSON.stringify(headed(page, recentPages())));
}

/** Whose list of records it is: an account in one of its roles, since another role may not open them. */
export function ownerOf({ id, role }: Pick<Viewer, "id" | "role">): string {
  return `${id} ${role}`;
}

/** The records that an owner looked at, latest first. */
export function recentRecords(owner: string): readonly RecentPage[] {
  const [of, ...records] = parse(localStorage.getItem(RECENT_RECORDS));
  return of === owner ? records.filter(isRecent) : [];
}

/** Puts a record at the head of its owner's list. Only the latest owner in a browser has one. */
export function noteRecord(owner: string, record: RecentPage): void {
  localStorage.setItem(RECENT_RECORDS, JSON.stringify([owner, ...headed(record, recentRecords(owner))]));
}

function headed(page: RecentPage, before: readonly RecentPage[]): RecentPage[] {
  return [page, ...before.filter((other) => other.fullPath !== page.fullPath)].slice(0, MOST);
}

function parse(text: string | null): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function isRecent(page: unknown): page is RecentPage {
  const { title, fullPath, detail } = (page ?? {}) as Partial<Record<keyof RecentPage, unknown>>;
  return typeof title === "string" && typeof detail === "string" && typeof fullPath === "string" && /^\/(?![/\\])/.test(fullPath);
}
