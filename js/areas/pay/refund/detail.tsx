/** /payConfig/order-list/refunds/:id: one refund: whether the payer has the money or who decides, and what happened to it. */
import type { PaymentRefundRow } from "../../../lib/api-types";
import { EMPTY, minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { type Field, labelOf } from "../../../ui/field";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { refundActions } from "./actions";
import { paymentRefundFields, paymentRefundTitles } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["no", "status", "decision"];

/** What the refund is compared with: what was paid for the order, what is back with the payer, and what no refund has taken. */
const orderFields: readonly Field<PaymentRefundRow>[] = [
  { key: "orderPaidCents", title: "paymentOrder.paidCents", kind: "money" },
  { key: "orderRefundedCents", title: "paymentOrder.refundedCents", kind: "money" },
  {
    key: "orderRefundingCents",
    title: "paymentRefund.left",
    kind: "money",
    show: ({ orderPaidCents, orderRefundingCents }) => money((orderPaidCents ?? 0) - orderRefundingCents),
  },
];

/** The fields of the page: the names of the organisation and of the channel are links, as the number of the order is. */
const pageFields = linkedFields([...paymentRefundFields, ...orderFields]);

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

export default function RefundDetail() {
  return (
    <DetailPage<PaymentRefundRow>
      load="refund"
      list={{ href: "/payConfig/order-list/refunds", title: "paymentRefund.title" }}
      points="payConfig/order-list"
      title={({ no }) => no}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["amountCents", "orderPaidCents", "orderRefundedCents", "orderRefundingCents", "paymentOrderNo", "orgName"]}
      fields={pageFields}
      actions={refundActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Description wide filled fields={detailFields} row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={paymentRefundFields} titles={paymentRefundTitles} />,
        },
      ]}
    />
  );
}

/** Who decides on the refund, or whether the payer has the money. */
function State({ row }: { row: PaymentRefundRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "pending" ? row.decision : null} />;
}

function stateOf(row: PaymentRefundRow, t: Translate): string {
  return t(`paymentRefund.state.${row.status}`, {
    status: t(`RefundStatus.${row.status}`),
    amount: money(row.amountCents),
    names: row.decision?.makerNames ?? "",
    provider: t(`PayProvider.${row.provider}`),
    at: minute(row.status === "success" ? row.doneAt : row.reviewedAt),
    why: row.error === null ? EMPTY : labelOf(t, "paymentOrder.error", row.error),
    note: row.reviewNote ?? "",
  });
}
