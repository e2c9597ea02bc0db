import type { words as zh } from "./words.zh";

/** Texts of payment statements. */
export const words = {
  "paymentStatement.title": "Reconciliation",
  "paymentStatement.tab": "Reconciliation",
  "paymentStatement.empty":
    "Import a day's statement to match it with that day's payments and refunds. Once every difference is settled, two people close the day.",
  "paymentStatement.awaits": "Awaiting",
  "paymentStatement.awaits.decision": "Closing",
  "paymentStatement.waitsFor": "Closing requested. Waiting for a second person (not {names})",
  "paymentStatement.choose": "Choose",
  "paymentStatement.import": "Import statement",
  "paymentStatement.importText":
    "Another import for the same channel and day replaces the earlier statement; settled differences are kept. Once the day is closed, nothing can be imported.",
  "paymentStatement.dayToCome": "The day cannot be in the future",
  "paymentStatement.numberColumn": "Number column",
  "paymentStatement.numberHint": "Column name in the file. Remembered for next time.",
  "paymentStatement.amountColumn": "Amount column",
  "paymentStatement.amountHint": "Column name in the file. Negative amounts are refunds.",
  "paymentStatement.refundColumn": "Refund column",
  "paymentStatement.refundHint": "Where refunds have a column of their own",
  "paymentStatement.file": "Statement file",
  "paymentStatement.fileNeeded": "Choose a file",
  "paymentStatement.fileHint":
    "XLSX, CSV or TXT, up to 20 MB and {rows} rows; bills of Alipay and WeChat Pay can be imported as downloaded",
  "paymentStatement.imported": "Statement imported: {matched} matched, {open} open differences",
  "paymentStatement.state.open": "{status}. Differences to settle before the day can be closed: {open}.",
  "paymentStatement.state.ready": "{status}. No difference is open; closing can be requested.",
  "paymentStatement.state.asked": "{status}. {names} asked to close the day; someone else must confirm it.",
  "paymentStatement.state.closed": "{status} by {name} on {at}.",
  "paymentStatement.viewTitle": "{channel}, {day}",
  "paymentStatement.askClose": "Request closing",
  "paymentStatement.askCloseTitle": "Request closing of {channel}, {day}?",
  "paymentStatement.askCloseText":
    "Our records: {ourCount}, {ourSum} CNY in all. Statement: {theirCount}, {theirSum} CNY in all. Matched: {matched}. Someone else must close the day.",
  "paymentStatement.asked": "Closing requested. Waiting for a second person.",
  "paymentStatement.close": "Close day",
  "paymentStatement.closeTitle": "Close {channel}, {day}?",
  "paymentStatement.closeText":
    "Our records: {ourCount}, {ourSum} CNY in all. Statement: {theirCount}, {theirSum} CNY in all. Matched: {matched}. This ends the imports of the day. A later payment or refund of the day opens it again.",
  "paymentStatement.closed": "Day closed",
  "paymentStatement.reject": "Reject",
  "paymentStatement.rejectTitle": "Reject the closing of {channel}, {day}",
  "paymentStatement.rejectReason": "Reason for rejection",
  "paymentStatement.rejected": "Closing rejected",
  "paymentStatement.withdraw": "Withdraw",
  "paymentStatement.withdrawTitle": "Withdraw the closing of {channel}, {day}?",
  "paymentStatement.withdrawText": "Closing can be requested again.",
  "paymentStatement.withdrawn": "Closing withdrawn",
} satisfies Record<keyof typeof zh, string>;
