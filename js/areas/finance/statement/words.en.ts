import type { words as zh } from "./words.zh";

/** Texts of statements of accounts. */
export const words = {
  "statement.title": "Statements",
  "statement.empty": "Closing a month makes the statements of all organisations. Once sent, each is confirmed by its organisation.",
  "statement.tab": "Statements",
  "statement.monthHint": "For example 2026-01",
  "statement.close": "Close month",
  "statement.closeTitle": "Close {month}?",
  "statement.closeText": "{month} is closed for posting, and each active account gets a statement. This cannot be undone.",
  "statement.closed": "Month closed; the statements were made",
  "statement.send": "Send",
  "statement.sendTitle": "Send the statement of {month} to {org}?",
  "statement.sendManyTitle": "Send {count} statements?",
  "statement.sendText": "The organisation gets a message, and confirms or disputes the statement.",
  "statement.noneToSend": "The chosen statements were sent already",
  "statement.sent": "Sent",
  "statement.confirm": "Confirm",
  "statement.confirmTitle": "Confirm the statement of {month}?",
  "statement.confirmText": "Closing balance {closing} CNY. A confirmed statement can no longer be disputed.",
  "statement.confirmed": "Statement confirmed",
  "statement.dispute": "Dispute",
  "statement.disputeTitle": "Dispute the statement of {month}",
  "statement.disputeHint": "Say which amounts are wrong; the platform checks them and sends the statement again",
  "statement.submitDispute": "Submit",
  "statement.disputed": "Dispute submitted",
  "statement.download": "Download PDF",
} satisfies Record<keyof typeof zh, string>;
