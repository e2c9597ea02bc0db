/** A receipt's fields, its filters and its enumerations, for list, detail and history alike. */
import type { PayMethod, ReceiptRow, ReceiptStatus, ReceiptType } from "../../lib/api-types";
import { EMPTY } from "../../lib/format";
import type { FieldTitles } from "../../ui/changes";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";

export const receiptTypes: readonly ReceiptType[] = ["recharge", "settlement", "other"];
export const payMethods: readonly PayMethod[] = ["bank", "wechat", "alipay", "cash", "online"];
const statuses: readonly ReceiptStatus[] = ["waiting", "confirmed", "rejected", "void"];

export const receiptFields: readonly Field<ReceiptRow>[] = [
  { key: "no", title: "receipt.no", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "receipt.org" },
  { key: "bizType", title: "receipt.bizType", kind: "enum", labels: "receipt.bizType" },
  { key: "amountCents", title: "receipt.amount", kind: "money", sort: true, total: true },
  {
    key: "status", title: "receipt.status", kind: "enum", labels: "receipt.status", sort: true,
    colors: { waiting: "blue", confirmed: "green", rejected: "red", void: "gray" },
  },
  {
    // Who wrote what waits, and so does not decide on it.
    key: "decision", title: "receipt.waits", file: false,
    show: ({ decision, status }, t) => {
      if (!decision || (status !== "waiting" && decision.action === "confirm_receipt")) return EMPTY;
      const names = decision.makerNames;
      return decision.action === "void_receipt" ? t("receipt.voidWaits", { names, note: decision.note ?? "" }) : t("receipt.waitsFor", { names });
    },
  },
  { key: "payMethod", title: "receipt.payMethod", kind: "enum", labels: "receipt.payMethod" },
  { key: "paidAt", title: "receipt.paidAt", kind: "time", sort: true },
  { key: "payerName", title: "receipt.payerName" },
  { key: "bankSerial", title: "receipt.bankSerial", kind: "code", copy: true },
  { key: "payeeOrgName", title: "receipt.payee", list: "hidden" },
  {
    key: "proofFiles", title: "receipt.proofs", list: "hidden", file: false,
    show: ({ proofFiles }) =>
      proofFiles.length === 0
        ? EMPTY
        : proofFiles.map(({ id, name, url }) => (
            <a key={id} className="ll-link" href={url} target="_blank" rel="noreferrer">
              {name}{" "}
            </a>
          )),
  },
  { key: "creatorName", title: "receipt.creator" },
  { key: "reviewerName", title: "receipt.reviewer", list: "hidden" },
  { key: "reviewedAt", title: "receipt.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "receipt.reviewNote", list: "hidden" },
  { key: "remark", title: "receipt.remark", list: "hidden" },
  { key: "createdAt", title: "receipt.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "receipt.updatedAt", kind: "time", list: "hidden" },
];

export const receiptFilters: readonly Filter[] = [
  { name: "keyword", label: "receipt.keyword", kind: "text", placeholder: "receipt.keywordHint" },
  { name: "orgId", label: "receipt.org", kind: "select", options: { load: "orgs" } },
  { name: "status", label: "receipt.status", kind: "select", options: { codes: statuses, labels: "receipt.status" } },
  { name: "awaits", label: "receipt.awaits", kind: "select", options: { codes: ["decision"], labels: "receipt.awaits" } },
  { name: "bizType", label: "receipt.bizType", kind: "select", options: { codes: receiptTypes, labels: "receipt.bizType" } },
  { name: "payMethod", label: "receipt.payMethod", kind: "select", options: { codes: payMethods, labels: "receipt.payMethod" } },
  { name: "payeeOrgId", label: "receipt.payee", kind: "select", options: { load: "payees" } },
  { name: "paid", label: "receipt.paidAt", kind: "days" },
];

/** Names of what a receipt's history tells and its row does not show. */
export const receiptTitles: FieldTitles = {
  voidAsked: "receipt.voidAskedFor", createdBy: "receipt.creator", payeeOrgId: "receipt.payee", orgId: "receipt.org" };
