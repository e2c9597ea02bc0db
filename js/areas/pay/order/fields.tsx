/** A payment order's fields and filters, for list, detail, history and audit trail. */
import type { PaymentOrderRow } from "../../../lib/api-types";
import { orderBizCodes, orderStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { useHasPoint } from "../../../lib/permissions";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toPayee, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";

/** The recharge of a paid order, for viewers who may open it. */
function Recharge({ id, no }: { id: number; no: string }) {
  const lists = useHasPoint(["finance/recharge/list"]);
  if (!lists) return no;
  return (
    <a className="ll-link" href={`/finance/recharge/${id}`}>
      {no}
    </a>
  );
}

/** The clue that a service fee is for, for viewers who may open it. */
function Clue({ id, no }: { id: number; no: string }) {
  const lists = useHasPoint(["crm/clue/list"]);
  if (!lists) return no;
  return (
    <a className="ll-link" href={`/crm/clue/${id}`}>
      {no}
    </a>
  );
}

export const paymentOrderFields: readonly Field<PaymentOrderRow>[] = [
  { key: "no", title: "paymentOrder.no", kind: "code", sort: true, copy: true },
  { key: "orgName", title: "paymentOrder.orgName", short: true, link: toOrg },
  { key: "bizType", title: "paymentOrder.bizType", kind: "enum", labels: "OrderBiz", list: "hidden" },
  { key: "subject", title: "paymentOrder.subject", short: true, list: "hidden" },
  { key: "amountCents", title: "paymentOrder.amountCents", kind: "money", sort: true },
  {
    key: "status",
    title: "paymentOrder.status",
    kind: "enum",
    labels: "OrderStatus",
    sort: true,
    colors: {
      created: "blue",
      paying: "orange",
      success: "green",
      failed: "red",
      cancelled: "gray",
      closed: "gray",
      part_refunded: "purple",
      refunded: "purple",
    },
  },
  {
    // The entered payment, and the person who entered it and may not confirm it.
    key: "decision",
    title: "paymentOrder.decision",
    list: "hidden",
    file: false,
    show: ({ decision, claim }, t) =>
      decision && claim
        ? reviewers(decision, t, t("paymentOrder.waitsFor", { number: claim.channelOrderNo, names: decision.makerNames }))
        : EMPTY,
  },
  { key: "paidCents", title: "paymentOrder.paidCents", kind: "money", list: "hidden" },
  { key: "refundedCents", title: "paymentOrder.refundedCents", kind: "money", list: "hidden" },
  { key: "refundingCents", title: "paymentOrder.refundingCents", kind: "money", list: "hidden", file: false },
  { key: "feeCents", title: "paymentOrder.feeCents", kind: "money", list: "hidden" },
  { key: "payeeChannelName", title: "paymentOrder.payeeChannelName", list: "hidden", link: toPayeeChannel },
  { key: "provider", title: "paymentOrder.provider", kind: "enum", labels: "PayProvider", list: "hidden" },
  { key: "payeeOrgName", title: "paymentOrder.payeeOrgName", list: "hidden", link: toPayee },
  { key: "channelOrderNo", title: "paymentOrder.channelOrderNo", kind: "code", copy: true },
  { key: "paidAt", title: "paymentOrder.paidAt", kind: "time", sort: true },
  { key: "knownBy", title: "paymentOrder.knownBy", kind: "enum", labels: "KnownBy", list: "hidden" },
  {
    key: "rechargeNo",
    title: "paymentOrder.rechargeNo",
    list: "hidden",
    kind: "code",
    show: ({ rechargeId, rechargeNo }) =>
      rechargeId === null || rechargeNo === null ? EMPTY : <Recharge id={rechargeId} no={rechargeNo} />,
  },
  {
    key: "clueNo",
    title: "paymentOrder.clueNo",
    kind: "code",
    list: "hidden",
    show: ({ clueId, clueNo }) => (clueId === null || clueNo === null ? EMPTY : <Clue id={clueId} no={clueNo} />),
  },
  { key: "payerMask", title: "paymentOrder.payerMask", list: "hidden" },
  { key: "remark", title: "paymentOrder.remark", list: "hidden" },
  { key: "error", title: "paymentOrder.error", kind: "enum", labels: "paymentOrder.error", list: "hidden" },
  { key: "cancelAsked", title: "paymentOrder.cancelAsked", kind: "flag", list: "hidden", file: false },
  { key: "creatorName", title: "paymentOrder.creatorName", list: "hidden" },
  { key: "expiresAt", title: "paymentOrder.expiresAt", kind: "time", list: "hidden" },
  { key: "createdAt", title: "paymentOrder.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "paymentOrder.updatedAt", kind: "time", list: "hidden" },
];

export const paymentOrderFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentOrder.keyword", kind: "text", placeholder: "paymentOrder.keywordHint" },
  { name: "orgId", label: "paymentOrder.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "paymentOrder.status", kind: "select", options: { codes: orderStatusCodes, labels: "OrderStatus" } },
  { name: "awaits", label: "paymentOrder.awaits", kind: "select", options: { codes: ["decision"], labels: "paymentOrder.awaits" } },
  { name: "payeeChannelId", label: "paymentOrder.payeeChannelName", kind: "select", options: { load: "channels" } },
  { name: "bizType", label: "paymentOrder.bizType", kind: "select", options: { codes: orderBizCodes, labels: "OrderBiz" } },
  { name: "created", label: "paymentOrder.createdAt", kind: "days" },
  { name: "paid", label: "paymentOrder.paidAt", kind: "days" },
];

/** Titles of keys that are in an order's history and not among the fields: the entered payment, a notification or a payer's page that was seen. */
export const paymentOrderTitles: FieldTitles = {
  claim: "paymentOrder.claim",
  anotherPayment: "finance.notThePaymentOf",
  reviewNote: "paymentRefund.reviewNote",
  notice: "paymentNotice.noticeNo",
  payPage: "paymentOrder.showPage",
};
