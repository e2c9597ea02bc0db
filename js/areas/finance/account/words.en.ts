import type { words as zh } from "./words.zh";

/** Texts of the accounts of organisations. */
export const words = {
  "account.listTitle": "Accounts",
  "account.listEmpty": "Balance, holds and available amount of each organisation.",
  "account.tab": "Accounts",
  "account.keyword": "Keyword",
  "account.keywordHint": "Organisation code or name",
  "account.holds": "Holds",
  "account.openEntries": "Entries",
  "account.openAdjustments": "Adjustments",
  "account.openStatements": "Statements",
  "account.freeze": "Freeze",
  "account.freezeTitle": "Freeze the account of {org}",
  "account.freezeHint": "Nothing is charged to a frozen account: the organisation buys no leads",
  "account.unfreeze": "Unfreeze",
  "account.unfreezeTitle": "Unfreeze the account of {org}",
  "account.unfreezeNote": "Reason for unfreezing",
  "account.unfreezeHint": "The account can be charged again",
  "account.isFrozen": "Account frozen",
  "account.isUnfrozen": "Account unfrozen",

  "account.asOf": "Balance at a moment",
  "account.asOfAt": "Moment",
  "account.asOfPaid": "Paid balance",
  "account.asOfGift": "Gift balance",
  "account.asOfCredit": "Credit used",
  "account.asOfHeld": "On hold",
  "account.asOfBalance": "Balance",
  "account.asOfEntries": "Entries",
  "account.asOfShow": "Show",
} satisfies Record<keyof typeof zh, string>;
