import type { words as zh } from "./words.zh";

/** Texts of achievements. */
export const words = {
  "achievement.title": "Achievements",
  "achievement.empty": "Targets and results of the month appear here. Set targets, or wait for the first confirmed payment.",
  "achievement.set": "Set targets",
  "achievement.setTitle": "Targets of a month",
  "achievement.setFor": "Targets of {name}",
  "achievement.object": "Object",
  "achievement.choose": "Choose",
  "achievement.loanAmount": "Loan amount (CNY)",
  "achievement.feeReceived": "Fees received (CNY)",
  "achievement.signed": "Signed",
  "achievement.visits": "Visits",
  "achievement.noTarget": "Empty: no target",
  "achievement.keepTarget": "Empty: unchanged",
  "achievement.saved": "Targets saved",
  "achievement.copy": "Copy last month's targets",
  "achievement.copyTitle": "Copy the targets of {from} to {month}?",
  "achievement.copyText": "Targets that are set already stay as they are.",
  "achievement.copyTo": "Copy targets of {from} to {month}",
  "achievement.copied": "Targets copied",
  "achievement.copiedFrom": "Copied from",
  "achievement.copiedCount": "Targets copied",
} satisfies Record<keyof typeof zh, string>;
