/** The fields and filters of provider reports that failed, for their list and the audit trail. */
import type { PaymentReportRow } from "../../../lib/api-types";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

export const paymentReportFields: readonly Field<PaymentReportRow>[] = [
  { key: "noticeNo", title: "paymentReport.noticeNo", kind: "code", copy: true },
  {
    key: "orderNo",
    title: "paymentReport.orderNo",
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
  { key: "payeeChannelName", title: "paymentReport.payeeChannelName", link: toPayeeChannel },
  { key: "lastError", title: "paymentReport.lastError", kind: "enum", labels: "paymentOrder.error", short: true },
  { key: "tries", title: "paymentReport.tries", kind: "count" },
  { key: "receivedAt", title: "paymentReport.receivedAt", kind: "time" },
  { key: "createdAt", title: "paymentReport.createdAt", kind: "time", sort: true },
];

export const paymentReportFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentReport.keyword", kind: "text", placeholder: "paymentReport.keywordHint" },
  { name: "payeeChannelId", label: "paymentReport.payeeChannelName", kind: "select", options: { load: "channels" } },
];

/** Titles of keys that are in a report's history and not among the fields. */
export const paymentReportTitles: FieldTitles = {
  retried: "paymentReport.retried",
  settled: "paymentReport.settledNo",
  settleNote: "paymentReport.settleNote",
};
