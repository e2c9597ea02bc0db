import type { words as zh } from "./words.zh";

/** Texts of differences between payments and statements. */
export const words = {
  "paymentDifference.title": "Reconciliation differences",
  "paymentDifference.tab": "Differences",
  "paymentDifference.empty":
    "What differs between a statement and our payments and refunds is listed here. A person checks and settles each.",
  "paymentDifference.keyword": "Keyword",
  "paymentDifference.keywordHint": "Whole payment or order number",
  "paymentDifference.paymentStatementId": "Statement",
  "paymentDifference.view": "View",
  "paymentDifference.viewTitle": "Difference {number}",
  "paymentDifference.settle": "Settle",
  "paymentDifference.settleTitle": "Settle difference {number}",
  "paymentDifference.settleHint": "What was found out",
  "paymentDifference.settled": "Difference settled",
} satisfies Record<keyof typeof zh, string>;
