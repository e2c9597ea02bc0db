/** A receipt's fields and filters, for list, detail, history and audit trail. */
import type { ReceiptRow, SelectOption } from "../../../lib/api-types";
import { payMethodCodes, receiptStatusCodes, receiptTypeCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { RecordLink } from "../../../ui/record-link";
import { reviewers } from "../../../ui/waits-for";

/** What the form chooses from. */
export interface ReceiptChoices {
  orgs: readonly SelectOption[];
  payees: readonly SelectOption[];
}

export const receiptFields: readonly Field<ReceiptRow>[] = [
  { key: "no", title: "receipt.no", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "receipt.orgName", short: true, link: toOrg },
  { key: "bizType", title: "receipt.bizType", kind: "enum", labels: "ReceiptType", list: "hidden" },
  { key: "amountCents", title: "receipt.amountCents", kind: "money", sort: true, total: true },
  {
    key: "status",
    title: "receipt.status",
    kind: "enum",
    labels: "ReceiptStatus",
    sort: true,
    colors: { waiting: "blue", confirmed: "green", rejected: "red", void: "gray" },
  },
  {
    // The makers of the open step, who may not decide on it.
    key: "decision",
    title: "receipt.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => {
      if (!decision || (status !== "waiting" && decision.action === "confirm_receipt")) return EMPTY;
      const { action, makerNames: names, note } = decision;
      return action === "void_receipt"
        ? reviewers(decision, t, t("receipt.voidWaits", { names, note: note ?? "" }))
        : reviewers(decision, t);
    },
  },
  { key: "payMethod", title: "receipt.payMethod", kind: "enum", labels: "PayMethod", list: "hidden" },
  { key: "paidAt", title: "receipt.paidAt", kind: "time", sort: true },
  { key: "payerName", title: "receipt.payerName" },
  { key: "bankSerial", title: "receipt.bankSerial", kind: "code", copy: true, list: "hidden" },
  {
    key: "payeeOrgName",
    title: "receipt.payeeOrgName",
    list: "hidden",
    show: ({ payeeOrgId, payeeOrgName }) => <RecordLink href={`/org/payee/${payeeOrgId}`} point="org/payee/list" name={payeeOrgName} />,
  },
  {
    key: "proofFiles",
    title: "receipt.proofFiles",
    list: "hidden",
    file: false,
    show: ({ proofFiles }) =>
      proofFiles.length === 0
        ? EMPTY
        : proofFiles.map(({ id, name, url }) => (
            <a key={id} className="ll-link" href={url} target="_blank" rel="noreferrer">
              {name}{" "}
            </a>
          )),
  },
  { key: "creatorName", title: "receipt.creatorName", list: "hidden" },
  { key: "reviewerName", title: "receipt.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "receipt.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "receipt.reviewNote", list: "hidden" },
  { key: "remark", title: "receipt.remark", list: "hidden" },
  { key: "createdAt", title: "receipt.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "receipt.updatedAt", kind: "time", list: "hidden" },
];

export const receiptFilters: readonly Filter[] = [
  { name: "keyword", label: "receipt.keyword", kind: "text", placeholder: "receipt.keywordHint" },
  { name: "orgId", label: "receipt.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "receipt.status", kind: "select", options: { codes: receiptStatusCodes, labels: "ReceiptStatus" } },
  { name: "awaits", label: "receipt.awaits", kind: "select", options: { codes: ["decision"], labels: "receipt.awaits" } },
  { name: "bizType", label: "receipt.bizType", kind: "select", options: { codes: receiptTypeCodes, labels: "ReceiptType" } },
  { name: "payMethod", label: "receipt.payMethod", kind: "select", options: { codes: payMethodCodes, labels: "PayMethod" } },
  { name: "payeeOrgId", label: "receipt.payeeOrgName", kind: "select", options: { load: "payees" } },
  { name: "paid", label: "receipt.paidAt", kind: "days" },
];

/** Titles of fields that are in a receipt's history and not in its row. */
export const receiptTitles: FieldTitles = {
  voidAsked: "receipt.voidAsked",
  anotherPayment: "finance.notThePaymentOf",
  createdBy: "receipt.creatorName",
  payeeOrgId: "receipt.payeeOrgName",
  orgId: "receipt.orgName",
};
