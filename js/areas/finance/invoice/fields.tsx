/** An invoice's fields and filters, for list, detail, history and audit trail. */
import type { InvoiceRow } from "../../../lib/api-types";
import { invoiceColorCodes, invoiceKindCodes, invoiceStatusCodes } from "../../../lib/codes";
import { EMPTY, money } from "../../../lib/format";
import { formatQuery } from "../../../lib/query-string";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import { proofLinks } from "../proofs";

/** The red-letter invoices of an invoice. */
const redOf = ({ id, orgId }: InvoiceRow) => `/finance/invoice${formatQuery({ orgId, redOfId: id })}`;

export const invoiceFields: readonly Field<InvoiceRow>[] = [
  { key: "no", title: "invoice.no", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "invoice.orgName", link: toOrg },
  { key: "payeeOrgName", title: "invoice.payeeOrgName", list: "hidden", link: toPayee },
  { key: "color", title: "invoice.color", kind: "enum", labels: "InvoiceColor", colors: { blue: "blue", red: "red" } },
  { key: "kind", title: "invoice.kind", kind: "enum", labels: "InvoiceKind", list: "hidden" },
  { key: "titleType", title: "invoice.titleType", kind: "enum", labels: "InvoiceTitleType", list: "hidden" },
  { key: "title", title: "invoice.title", short: true, copy: true },
  { key: "taxNo", title: "invoice.taxNo", kind: "code", copy: true, list: "hidden" },
  { key: "amountCents", title: "invoice.amountCents", kind: "money", sort: true },
  {
    key: "redCents",
    title: "invoice.redCents",
    kind: "money",
    list: "hidden",
    show: (row) =>
      row.redCents === 0 ? (
        EMPTY
      ) : (
        <a className="ll-link" href={redOf(row)}>
          {money(row.redCents)}
        </a>
      ),
  },
  { key: "refundedCents", title: "invoice.refundedCents", kind: "money", list: "hidden" },
  {
    key: "redOfNo",
    title: "invoice.redOfNo",
    kind: "code",
    list: "hidden",
    show: ({ redOfId, redOfNo }) =>
      redOfId === null ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/finance/invoice/${redOfId}`}>
          {redOfNo}
        </a>
      ),
  },
  { key: "redOfNumber", title: "invoice.redOfNumber", kind: "code", copy: true, list: "hidden" },
  { key: "redReason", title: "invoice.redReason", list: "hidden" },
  {
    key: "status",
    title: "invoice.status",
    kind: "enum",
    labels: "InvoiceStatus",
    sort: true,
    colors: { waiting: "blue", approved: "orange", refused: "red", issued: "green", sent: "green", void: "gray", withdrawn: "gray" },
  },
  {
    // The person who requested the invoice and may not approve it.
    key: "decision",
    title: "invoice.decision",
    list: "hidden",
    file: false,
    show: ({ decision, status }, t) => (decision && status === "waiting" ? reviewers(decision, t) : EMPTY),
  },
  { key: "invoiceNumber", title: "invoice.invoiceNumber", kind: "code", copy: true },
  { key: "invoiceCode", title: "invoice.invoiceCode", kind: "code", list: "hidden" },
  { key: "issuedOn", title: "invoice.issuedOn", kind: "code", sort: true, list: "hidden" },
  { key: "files", title: "invoice.files", list: "hidden", file: false, show: ({ files }) => proofLinks(files) },
  { key: "courier", title: "invoice.courier", list: "hidden" },
  { key: "trackingNo", title: "invoice.trackingNo", kind: "code", copy: true, list: "hidden" },
  { key: "content", title: "invoice.content", list: "hidden" },
  { key: "bank", title: "invoice.bank", list: "hidden", file: false },
  { key: "bankAccount", title: "invoice.bankAccount", kind: "code", list: "hidden", file: false },
  { key: "regAddress", title: "invoice.regAddress", list: "hidden", file: false },
  { key: "regPhone", title: "invoice.regPhone", kind: "code", list: "hidden", file: false },
  { key: "receiverName", title: "invoice.receiverName", list: "hidden" },
  { key: "receiverPhoneMask", title: "invoice.receiverPhoneMask", kind: "code", list: "hidden" },
  { key: "receiverAddress", title: "invoice.receiverAddress", list: "hidden" },
  { key: "receiverEmail", title: "invoice.receiverEmail", list: "hidden" },
  { key: "remark", title: "invoice.remark", list: "hidden" },
  { key: "creatorName", title: "invoice.creatorName", list: "hidden" },
  { key: "reviewerName", title: "invoice.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "invoice.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "invoice.reviewNote", list: "hidden" },
  // Hidden, because the number of the request includes the day.
  { key: "createdAt", title: "invoice.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "invoice.updatedAt", kind: "time", list: "hidden", file: false },
];

export const invoiceFilters: readonly Filter[] = [
  { name: "keyword", label: "invoice.keyword", kind: "text", placeholder: "invoice.keywordHint" },
  { name: "orgId", label: "invoice.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "invoice.status", kind: "select", options: { codes: invoiceStatusCodes, labels: "InvoiceStatus" } },
  { name: "color", label: "invoice.color", kind: "select", options: { codes: invoiceColorCodes, labels: "InvoiceColor" } },
  { name: "kind", label: "invoice.kind", kind: "select", options: { codes: invoiceKindCodes, labels: "InvoiceKind" } },
  { name: "payeeOrgId", label: "invoice.payeeOrgName", kind: "select", options: { load: "payees" } },
  { name: "created", label: "invoice.createdAt", kind: "days" },
  { name: "issued", label: "invoice.issuedOn", kind: "days" },
];

/** Titles of keys that are in an invoice's history and not among the fields. */
export const invoiceTitles: FieldTitles = { receiverPhone: "invoice.receiverPhoneMask" };
