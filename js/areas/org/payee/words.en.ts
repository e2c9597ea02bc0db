import type { words as zh } from "./words.zh";

/** Texts of the organisations and of the payees. */
export const words = {
  "payee.title": "Payee organisations",
  "payee.none": "There is no payee yet.",
  "payee.empty":
    "Payees are our companies that receive payments and issue invoices. Once you add one, organisations can be assigned to it.",
  "payee.create": "New payee",
  "payee.edit": "Edit payee",
  "payee.awaits": "Awaiting",
  "payee.awaits.decision": "Approval",
  "payee.keyword": "Keyword",
  "payee.keywordHint": "Name or tax number",
  "payee.name": "Name",
  "payee.status": "Status",
  "payee.taxNo": "Tax number",
  "payee.taxNoWrong": "15 to 20 digits or letters",
  "payee.bankName": "Bank",
  "payee.bankAccount": "Bank account",
  "payee.accountWrong": "8 to 32 digits",
  "payee.accountKeep": "Leave empty to keep the stored number",
  "payee.invoiceTypes": "Invoice types",
  "payee.address": "Address",
  "payee.phone": "Phone",
  "payee.createdAt": "Created",
  "payee.standing.enabled": "{status}. Organisations can pay it.",
  "payee.standing.noAccount":
    "{status}, but no bank account has been approved: payers see no account, and its bank transfer channels cannot be enabled.",
  "payee.standing.disabled":
    "{status}. It can no longer be chosen, and no orders are placed through its channels. Organisations that use it keep it.",
  "payee.editAction": "Edit",
  "payee.delete": "Delete",
  "payee.deleteTitle": "Delete payee “{name}”?",
  "payee.deleteText": "This cannot be undone. A payee that organisations use cannot be deleted; disable it instead.",
  "payee.saved": "Payee saved",
  "payee.savedProposed": "Saved. The bank account takes effect once someone else has approved it",
  "payee.editNote": "Another bank or account takes effect once someone else approves it. Until then payers see the current account.",
  "payee.accountReviewed": "It takes effect once someone else approves it",
  "payee.deleted": "Payee deleted",
} satisfies Record<keyof typeof zh, string>;
