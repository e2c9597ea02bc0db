/** A payee organisation's fields and its filters. */
import type { PayeeRow } from "../../../lib/api-types";
import { payeeStatusCodes } from "../../../lib/codes";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { changeReviewers } from "../../../ui/proposal-actions";

export const accountFields: readonly Field<PayeeRow>[] = [
  { key: "bankName", title: "payee.bankName" },
  { key: "bankAccountMask", title: "payee.bankAccount", kind: "code" },
];

export const payeeFields: readonly Field<PayeeRow>[] = [
  { key: "name", title: "payee.name", sort: true, copy: true },
  { key: "status", title: "payee.status", kind: "enum", labels: "PayeeStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "taxNo", title: "payee.taxNo", kind: "code", copy: true },
  ...accountFields,
  { key: "decision", title: "proposal.column", file: false, show: ({ decision }, t) => changeReviewers(decision, t), short: true },
  { key: "invoiceTypes", title: "payee.invoiceTypes", kind: "enums", labels: "InvoiceKind", list: "hidden" },
  { key: "address", title: "payee.address", list: "hidden" },
  { key: "phone", title: "payee.phone", list: "hidden" },
  { key: "createdAt", title: "payee.createdAt", kind: "time", sort: true, list: "hidden" },
];

export const payeeFilters: readonly Filter[] = [
  { name: "keyword", label: "payee.keyword", kind: "text", placeholder: "payee.keywordHint" },
  { name: "status", label: "payee.status", kind: "select", options: { codes: payeeStatusCodes, labels: "PayeeStatus" } },
  { name: "awaits", label: "payee.awaits", kind: "select", options: { codes: ["decision"], labels: "payee.awaits" } },
];

/** Titles of keys that are in a payee's history and not in its row. */
export const payeeTitles: FieldTitles = {
  bankAccount: "payee.bankAccount",
  reviewNote: "proposal.note",
};
