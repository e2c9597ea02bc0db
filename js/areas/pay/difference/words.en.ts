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
  "paymentDifference.sides.ours_only": "{status}. {direction} of {platform} CNY is in our books and not on the statement.",
  "paymentDifference.sides.theirs_only": "{status}. {direction} of {provider} CNY is on the statement and not in our books.",
  "paymentDifference.sides.amount": "{status}. {direction}: {platform} CNY in our books, {provider} CNY on the statement.",
  "paymentDifference.toSettle": " Find out why and settle it: the day can be closed once all are settled.",
  "paymentDifference.settledBy": " Settled by {name} at {at}: {note}",
  "paymentDifference.ofDay": "{channel} on {day}",
  "paymentDifference.settle": "Settle",
  "paymentDifference.settleTitle": "Settle difference {number}: platform {platform} CNY, provider {provider} CNY",
  "paymentDifference.settleHint": "What was found out. It records the reason and changes no books",
  "paymentDifference.settled": "Difference settled",
} satisfies Record<keyof typeof zh, string>;
