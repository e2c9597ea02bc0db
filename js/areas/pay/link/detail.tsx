/** /payConfig/pool-list/:id: one payment link: whether an order may take it, its import and what happened to it. */
import type { OpenDecision, PaymentLinkRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { linkActions } from "./actions";
import { paymentLinkFields, paymentLinkTitles } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["urlMask", "status", "decision"];

/** The fields of the page: the name of the channel is a link, and the number of the import one to all of its links. */
const linkedFields = paymentLinkFields.map((field): Field<PaymentLinkRow> => {
  if (field.key === "payeeChannelName") return { ...field, show: showChannel };
  return field.key === "batchNo" ? { ...field, show: showBatch } : field;
});

const detailFields = linkedFields.filter(({ key }) => !HEAD.includes(key));

function showChannel({ payeeChannelId, payeeChannelName }: PaymentLinkRow) {
  return <RecordLink href={`/payConfig/list/${payeeChannelId}`} point="payConfig/list/view" name={payeeChannelName} />;
}

function showBatch({ batchNo }: PaymentLinkRow) {
  return (
    <a className="ll-link" href={`/payConfig/pool-list?keyword=${encodeURIComponent(batchNo)}`}>
      {batchNo}
    </a>
  );
}

export default function LinkDetail() {
  return (
    <DetailPage<PaymentLinkRow>
      load="link"
      list={{ href: "/payConfig/pool-list", title: "paymentLink.title" }}
      points="payConfig/pool-list"
      title={({ urlMask }) => urlMask}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["payeeChannelName", "amountCents", "paymentOrderNo", "expiresAt", "batchNo"]}
      fields={linkedFields}
      actions={linkActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Description wide filled fields={detailFields} row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={paymentLinkFields} titles={paymentLinkTitles} />,
        },
      ]}
    />
  );
}

/** Whether an order may take the link. */
function State({ row }: { row: PaymentLinkRow }) {
  const decision = row.status === "proposed" ? row.decision : null;
  return <RecordState text={stateOf(row, decision, useT())} decision={decision} />;
}

function stateOf(row: PaymentLinkRow, decision: OpenDecision | null, t: Translate): string {
  const [status, no] = [t(`PaymentLinkStatus.${row.status}`), row.paymentOrderNo ?? ""];
  if (decision) return t("paymentLink.state.proposed", { status, names: decision.makerNames });
  if (row.status === "reserved") return t("paymentLink.state.reserved", { status, no, at: minute(row.reservedUntil) });
  if (row.status === "used") return t("paymentLink.state.used", { status, no, at: minute(row.usedAt) });
  if (row.status === "free" && row.freeFrom !== null) return t("paymentLink.state.resting", { status, at: minute(row.freeFrom) });
  return t(`paymentLink.state.${row.status === "proposed" ? "waiting" : row.status}`, { status });
}
