/** /payConfig/order-list/exceptions/:id: one payment that fits no order as it is: what can be done with it, or how it was settled. */
import type { PaymentExceptionRow } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { exceptionActions, fitsOrder } from "./actions";
import { paymentExceptionFields, paymentExceptionTitles } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["channelOrderNo", "status", "decision"];

/** The fields of the page: the names of the organisation and of the channel are links, as the order number is. */
const pageFields = linkedFields(paymentExceptionFields);

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

export default function ExceptionDetail() {
  return (
    <DetailPage<PaymentExceptionRow>
      load="exception"
      list={{ href: "/payConfig/order-list/exceptions", title: "paymentException.title" }}
      points="payConfig/order-list"
      title={({ channelOrderNo }) => channelOrderNo}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["amountCents", "orderCents", "orderNo", "payeeChannelName", "paidAt"]}
      fields={pageFields}
      actions={exceptionActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Description wide filled fields={detailFields} row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={paymentExceptionFields} titles={paymentExceptionTitles} />,
        },
      ]}
    />
  );
}

/** Why the payment waits and what can be done with it, who decides, or how it was settled. */
function State({ row }: { row: PaymentExceptionRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.decision} />;
}

function stateOf(row: PaymentExceptionRow, t: Translate): string {
  const { decision, resolution, orderNo: order } = row;
  const status = t(`ExceptionStatus.${row.status}`);
  if (decision) return t("paymentException.state.asked", { status, names: decision.makerNames, order, note: decision.note ?? EMPTY });
  if (resolution) return t(`paymentException.state.${resolution}`, { status, order, note: row.note ?? EMPTY });
  return t(fitsOrder(row) ? "paymentException.state.fits" : "paymentException.state.open", {
    status,
    kind: t(`ExceptionKind.${row.kind}`),
  });
}
