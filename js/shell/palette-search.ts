/** The search of the command palette, without its look. */

import type { FoundGroup } from "../lib/api-types";
import type { MenuNode } from "../lib/types";
import { inOrder } from "./trail";

/** Something that the palette offers. */
export interface Entry {
  /** Stands before the title, dimmed: the menu's group, the kind of thing. */
  group: string;
  title: string;
  /** Stands behind the title, dimmed: what tells a record from others. */
  note?: string;
  /** Other texts that the search matches: the route's name and path. */
  words: string;
  /** Where it leads; absent for actions. */
  address?: string;
  run?: () => void;
}

/** The pages of a menu, in its order, each under the groups above it. */
export function pageEntries(menu: readonly MenuNode[], group = ""): Entry[] {
  return inOrder(menu).flatMap((node) => {
    if (node.children) return pageEntries(node.children, node.title);
    if (node.hidden || node.external !== null) return [];
    return [{ group, title: node.title, words: `${node.name} ${node.path}`, address: node.path }];
  });
}

/** The records that a search found, kind after kind. */
export function recordEntries(groups: readonly FoundGroup[]): Entry[] {
  return groups.flatMap(({ title: group, items }) => items.map((item) => ({ group, words: "", ...item })));
}

/** What tells an entry from all others. */
export function keyOf({ group, title, address }: Entry): string {
  return `${group} ${title} ${address ?? ""}`;
}

/** Whether the title of an entry begins with what was typed. */
export const isBeginning = ({ title }: Entry, typed: string): boolean => title.toLowerCase().startsWith(typed.trim().toLowerCase());

/** The entries that hold every typed word somewhere; those whose title begins with what was typed come first. */
export function find(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const text = ({ group, title, words: more }: Entry) => `${group} ${title} ${more}`.toLowerCase();
  const found = entries.filter((entry) => words.every((word) => text(entry).includes(word)));
  const begins = (entry: Entry) => Number(!isBeginning(entry, words[0]!));
  return found.toSorted((a, b) => begins(a) - begins(b));
}
