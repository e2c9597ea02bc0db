import type { words as zh } from "./words.zh";

/** Texts of the daily reports of payments. */
export const words = {
  "paymentReport.title": "Provider reports that failed",
  "paymentReport.tab": "Reports",
  "paymentReport.empty": "Provider reports that still fail after all retries. Find the cause, then retry or settle them.",
  "paymentReport.keyword": "Keyword",
  "paymentReport.keywordHint": "Whole order or report number",
  "paymentReport.retry": "Retry",
  "paymentReport.retrying": "The report is tried again",
  "paymentReport.retried": "Tried again",
  "paymentReport.settle": "Settle",
  "paymentReport.settleTitle": "Settle the report of order {no}",
  "paymentReport.settleNote": "Reason",
  "paymentReport.settleHint":
    "The report is not tried again and the order stays as it is. If the money has come, enter the payment at the order.",
  "paymentReport.settled": "Report settled",
  "paymentReport.settledNo": "Settled report",
} satisfies Record<keyof typeof zh, string>;
