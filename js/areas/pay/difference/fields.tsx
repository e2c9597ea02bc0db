/** The fields and filters of differences between statements and our payments, for their list, detail, history and the audit trail. */
import type { PaymentDifferenceRow } from "../../../lib/api-types";
import { differenceKindCodes, differenceStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

export const paymentDifferenceFields: readonly Field<PaymentDifferenceRow>[] = [
  { key: "number", title: "paymentDifference.number", kind: "code", copy: true },
  { key: "day", title: "paymentDifference.day", kind: "code" },
  { key: "payeeChannelName", title: "paymentDifference.payeeChannelName", short: true },
  { key: "kind", title: "paymentDifference.kind", kind: "enum", labels: "DifferenceKind" },
  { key: "direction", title: "paymentDifference.direction", kind: "enum", labels: "MoneyDirection", list: "hidden" },
  { key: "ourCents", title: "paymentDifference.ourCents", kind: "money" },
  { key: "theirCents", title: "paymentDifference.theirCents", kind: "money" },
  {
    key: "paymentOrderNo",
    title: "paymentDifference.paymentOrderNo",
    kind: "code",
    copy: true,
    show: ({ paymentOrderId, paymentOrderNo }) =>
      paymentOrderId === null || paymentOrderNo === null ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/payConfig/order-list/${paymentOrderId}`}>
          {paymentOrderNo}
        </a>
      ),
  },
  {
    key: "status",
    title: "paymentDifference.status",
    kind: "enum",
    labels: "DifferenceStatus",
    sort: true,
    colors: { open: "orange", settled: "gray" },
  },
  { key: "note", title: "paymentDifference.note", short: true, list: "hidden" },
  { key: "settlerName", title: "paymentDifference.settlerName", list: "hidden" },
  { key: "settledAt", title: "paymentDifference.settledAt", kind: "time", list: "hidden" },
];

export const paymentDifferenceFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentDifference.keyword", kind: "text", placeholder: "paymentDifference.keywordHint" },
  { name: "kind", label: "paymentDifference.kind", kind: "select", options: { codes: differenceKindCodes, labels: "DifferenceKind" } },
  {
    name: "status",
    label: "paymentDifference.status",
    kind: "select",
    options: { codes: differenceStatusCodes, labels: "DifferenceStatus" },
  },
];

/** Titles of parameters of the list's address that are not among its filters. */
export const paymentDifferenceTitles: FieldTitles = { paymentStatementId: "paymentDifference.paymentStatementId" };
