import type { words as zh } from "./words.zh";

/** Texts of the salespeople, their teams and the pools. */
export const words = {
  "team.title": "Teams",
  "team.empty": "The sales teams of organisations. Leads go to teams by their weights, then to people.",
  "team.create": "New team",
  "team.none": "The organisation has no team yet.",
  "team.edit": "Edit team",
  "team.editAction": "Edit",
  "team.keyword": "Keyword",
  "team.keywordHint": "Name, city, manager or whole phone",
  "team.phoneKeep": "Leave empty to keep the stored number",
  "team.acceptHint": "Without it, the rules assign no new leads",
  "team.weightHint": "1 to 100; a higher weight gets more leads",
  "team.sortHint": "Lower numbers come first",
  "team.statusHint": "A team can be disabled when it has no salespeople, open leads or running plans",
  "team.created": "Team added",
  "team.saved": "Team saved",
} satisfies Record<keyof typeof zh, string>;
