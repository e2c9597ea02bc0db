/** The fields and filters of payment exceptions, for their list, detail, history and the audit trail. */
import type { PaymentExceptionRow } from "../../../lib/api-types";
import { exceptionKindCodes, exceptionStatusCodes } from "../../../lib/codes";
import { EMPTY, money } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";

export const paymentExceptionFields: readonly Field<PaymentExceptionRow>[] = [
  { key: "channelOrderNo", title: "paymentException.channelOrderNo", kind: "code", copy: true },
  { key: "kind", title: "paymentException.kind", kind: "enum", labels: "ExceptionKind", short: true },
  {
    key: "orderNo",
    title: "paymentException.orderNo",
    list: "hidden",
    kind: "code",
    copy: true,
    // A number without an order has no link.
    show: ({ paymentOrderId, orderNo }) =>
      paymentOrderId === null ? (
        orderNo
      ) : (
        <a className="ll-link" href={`/payConfig/order-list/${paymentOrderId}`}>
          {orderNo}
        </a>
      ),
  },
  { key: "orgName", title: "paymentException.orgName", short: true, link: toOrg },
  { key: "payeeChannelName", title: "paymentException.payeeChannelName", list: "hidden", link: toPayeeChannel },
  {
    key: "status",
    title: "paymentException.status",
    kind: "enum",
    labels: "ExceptionStatus",
    sort: true,
    colors: { open: "orange", settled: "gray" },
  },
  {
    // The person who requested the acceptance and may not confirm it.
    key: "decision",
    title: "paymentException.decision",
    list: "hidden",
    file: false,
    show: ({ decision }, t) => (decision ? reviewers(decision, t, t("paymentException.waitsFor", { names: decision.makerNames })) : EMPTY),
  },
  { key: "orderCents", title: "paymentException.orderCents", kind: "money", list: "hidden" },
  {
    key: "amountCents",
    title: "paymentException.amountCents",
    kind: "money",
    show: ({ amountCents, currency }) => `${money(amountCents)} ${currency}`,
  },
  { key: "currency", title: "paymentException.currency", kind: "code", list: "hidden" },
  { key: "paidAt", title: "paymentException.paidAt", kind: "time" },
  { key: "payerMask", title: "paymentException.payerMask", list: "hidden" },
  { key: "resolution", title: "paymentException.resolution", kind: "enum", labels: "ExceptionResolution", list: "hidden" },
  { key: "note", title: "paymentException.note", short: true, list: "hidden" },
  { key: "settlerName", title: "paymentException.settlerName", list: "hidden" },
  { key: "settledAt", title: "paymentException.settledAt", kind: "time", list: "hidden" },
  { key: "createdAt", title: "paymentException.createdAt", kind: "time", sort: true, list: "hidden" },
];

export const paymentExceptionFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentException.keyword", kind: "text", placeholder: "paymentException.keywordHint" },
  { name: "payeeChannelId", label: "paymentException.payeeChannelName", kind: "select", options: { load: "channels" } },
  { name: "kind", label: "paymentException.kind", kind: "select", options: { codes: exceptionKindCodes, labels: "ExceptionKind" } },
  { name: "status", label: "paymentException.status", kind: "select", options: { codes: exceptionStatusCodes, labels: "ExceptionStatus" } },
  { name: "awaits", label: "paymentException.awaits", kind: "select", options: { codes: ["decision"], labels: "paymentException.awaits" } },
  { name: "created", label: "paymentException.createdAt", kind: "days" },
];

/** Titles of keys that are in an exception's history and not among the fields: the reason of a requested acceptance, and of its decision. */
export const paymentExceptionTitles: FieldTitles = { acceptance: "paymentException.acceptance", reviewNote: "paymentRefund.reviewNote" };
