import type { words as zh } from "./words.zh";

/** Texts of the entries of accounts. */
export const words = {
  "entry.title": "Account entries",
  "entry.empty": "Everything that is credited and charged to accounts is listed here.",
  "entry.tab": "Entries",
  "entry.keyword": "Keyword",
  "entry.keywordHint": "Beginning of a reference",
} satisfies Record<keyof typeof zh, string>;
