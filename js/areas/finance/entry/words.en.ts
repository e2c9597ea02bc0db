import type { words as zh } from "./words.zh";

/** Texts of the entries of accounts. */
export const words = {
  "entry.title": "Account entries",
  "entry.empty": "All account movements.",
  "entry.tab": "Entries",
  "entry.keyword": "Keyword",
  "entry.keywordHint": "Beginning of a reference",
} satisfies Record<keyof typeof zh, string>;
