/** A recharge's fields and filters, for list, detail, history and audit trail. */
import type { RechargeRow, SelectOption } from "../../../lib/api-types";
import { payMethodCodes, rechargeStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { useHasPoint } from "../../../lib/permissions";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import { proofLinks } from "../proofs";

/** The choices of the form, and whether the viewer is staff of the platform, who can add gifts. */
export interface RechargeChoices {
  orgs: readonly SelectOption[];
  payees: readonly SelectOption[];
  byStaff: boolean;
}

/** The receipt that credited the amount, for viewers who may open it. */
function Receipt({ id, no }: { id: number; no: string }) {
  const lists = useHasPoint(["org/receipt/list"]);
  if (!lists) return no;
  return (
    <a className="ll-link" href={`/org/receipt/${id}`}>
      {no}
    </a>
  );
}

/** The payment order of the amount, for viewers who may open it. */
function PaymentOrder({ id, no }: { id: number; no: string }) {
  const lists = useHasPoint(["payConfig/order-list/list"]);
  if (!lists) return no;
  return (
    <a className="ll-link" href={`/payConfig/order-list/${id}`}>
      {no}
    </a>
  );
}

export const rechargeFields: readonly Field<RechargeRow>[] = [
  { key: "no", title: "recharge.no", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "recharge.orgName", short: true, link: toOrg },
  { key: "amountCents", title: "recharge.amountCents", kind: "money", sort: true },
  { key: "giftCents", title: "recharge.giftCents", kind: "money" },
  {
    key: "status",
    title: "recharge.status",
    kind: "enum",
    labels: "RechargeStatus",
    sort: true,
    colors: { pending: "blue", credited: "green", rejected: "red", cancelled: "gray", reversed: "gray" },
  },
  {
    // The people who requested the open step and may not decide on it.
    key: "decision",
    title: "recharge.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => {
      if (!decision || (status !== "pending" && decision.action === "confirm_recharge")) return EMPTY;
      const names = decision.makerNames;
      return decision.action === "reverse_recharge"
        ? reviewers(decision, t, t("recharge.reversalWaits", { names, note: decision.note ?? "" }))
        : reviewers(decision, t);
    },
  },
  { key: "payMethod", title: "recharge.payMethod", kind: "enum", labels: "PayMethod", list: "hidden" },
  { key: "bankSerial", title: "recharge.bankSerial", kind: "code", copy: true, list: "hidden" },
  { key: "payeeOrgName", title: "recharge.payeeOrgName", list: "hidden", link: toPayee },
  {
    key: "receiptNo",
    title: "recharge.receiptNo",
    kind: "code",
    list: "hidden",
    show: ({ receiptId, receiptNo }) => (receiptId === null || receiptNo === null ? EMPTY : <Receipt id={receiptId} no={receiptNo} />),
  },
  {
    key: "paymentOrderNo",
    title: "recharge.paymentOrderNo",
    kind: "code",
    list: "hidden",
    show: ({ paymentOrderId, paymentOrderNo }) =>
      paymentOrderId === null || paymentOrderNo === null ? EMPTY : <PaymentOrder id={paymentOrderId} no={paymentOrderNo} />,
  },
  { key: "proofFiles", title: "recharge.proofFiles", list: "hidden", file: false, show: ({ proofFiles }) => proofLinks(proofFiles) },
  { key: "creditedAt", title: "recharge.creditedAt", kind: "time", sort: true },
  { key: "creatorName", title: "recharge.creatorName", list: "hidden" },
  { key: "reviewerName", title: "recharge.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "recharge.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "recharge.reviewNote", list: "hidden" },
  { key: "remark", title: "recharge.remark", list: "hidden" },
  { key: "createdAt", title: "recharge.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "recharge.updatedAt", kind: "time", list: "hidden" },
];

export const rechargeFilters: readonly Filter[] = [
  { name: "keyword", label: "recharge.keyword", kind: "text", placeholder: "recharge.keywordHint" },
  { name: "orgId", label: "recharge.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "recharge.status", kind: "select", options: { codes: rechargeStatusCodes, labels: "RechargeStatus" } },
  { name: "awaits", label: "recharge.awaits", kind: "select", options: { codes: ["decision"], labels: "recharge.awaits" } },
  { name: "payMethod", label: "recharge.payMethod", kind: "select", options: { codes: payMethodCodes, labels: "PayMethod" } },
  { name: "payeeOrgId", label: "recharge.payeeOrgName", kind: "select", options: { load: "payees" } },
  { name: "created", label: "recharge.createdAt", kind: "days" },
  { name: "credited", label: "recharge.creditedAt", kind: "days" },
];

/** Titles of keys that are in a recharge's history or in a filter and not among the fields. */
export const rechargeTitles: FieldTitles = {
  reversalAsked: "recharge.reversalAsked",
  anotherPayment: "finance.notThePaymentOf",
  createdBy: "recharge.creatorName",
  payeeOrgId: "recharge.payeeOrgName",
  orgId: "recharge.orgName",
};
