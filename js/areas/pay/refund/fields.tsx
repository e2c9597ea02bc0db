/** The fields and filters of refunds, for their list, detail, history and the audit trail. */
import type { PaymentRefundRow } from "../../../lib/api-types";
import { refundStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";

export const paymentRefundFields: readonly Field<PaymentRefundRow>[] = [
  { key: "no", title: "paymentRefund.no", kind: "code", sort: true, copy: true },
  {
    key: "paymentOrderNo",
    title: "paymentRefund.paymentOrderNo",
    kind: "code",
    copy: true,
    show: ({ paymentOrderId, paymentOrderNo }) => (
      <a className="ll-link" href={`/payConfig/order-list/${paymentOrderId}`}>
        {paymentOrderNo}
      </a>
    ),
  },
  { key: "orgName", title: "paymentRefund.orgName", short: true, link: toOrg },
  { key: "payeeChannelName", title: "paymentRefund.payeeChannelName", list: "hidden", link: toPayeeChannel },
  { key: "provider", title: "paymentRefund.provider", kind: "enum", labels: "PayProvider", list: "hidden", file: false },
  { key: "amountCents", title: "paymentRefund.amountCents", kind: "money", sort: true },
  {
    key: "status",
    title: "paymentRefund.status",
    kind: "enum",
    labels: "RefundStatus",
    sort: true,
    colors: { pending: "blue", processing: "orange", success: "green", failed: "red", rejected: "red", withdrawn: "gray" },
  },
  {
    // The person who requested it and may not decide on it.
    key: "decision",
    title: "paymentRefund.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => (decision && status === "pending" ? reviewers(decision, t) : EMPTY),
  },
  { key: "reason", title: "paymentRefund.reason", short: true, list: "hidden" },
  { key: "channelRefundNo", title: "paymentRefund.channelRefundNo", kind: "code", copy: true, list: "hidden" },
  { key: "creatorName", title: "paymentRefund.creatorName", list: "hidden" },
  { key: "reviewerName", title: "paymentRefund.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "paymentRefund.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "paymentRefund.reviewNote", list: "hidden" },
  { key: "doneAt", title: "paymentRefund.doneAt", kind: "time", list: "hidden" },
  { key: "error", title: "paymentRefund.error", kind: "enum", labels: "paymentOrder.error", list: "hidden" },
  { key: "createdAt", title: "paymentRefund.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "paymentRefund.updatedAt", kind: "time", list: "hidden" },
];

/** Titles of keys that are in a refund's history and not among the fields. */
export const paymentRefundTitles: FieldTitles = { anotherPayment: "finance.notThePaymentOf" };

export const paymentRefundFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentRefund.keyword", kind: "text", placeholder: "paymentRefund.keywordHint" },
  { name: "orgId", label: "paymentRefund.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "paymentRefund.status", kind: "select", options: { codes: refundStatusCodes, labels: "RefundStatus" } },
  { name: "late", label: "paymentRefund.late", kind: "select", options: { codes: ["yes"], labels: "paymentRefund.late" } },
  { name: "payeeChannelId", label: "paymentRefund.payeeChannelName", kind: "select", options: { load: "channels" } },
  { name: "created", label: "paymentRefund.createdAt", kind: "days" },
];
