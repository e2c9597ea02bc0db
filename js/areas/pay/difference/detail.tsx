/** /payConfig/order-list/differences/:id: one difference between a statement and our payments: both sides, and how it was settled. */
import type { PaymentDifferenceRow } from "../../../lib/api-types";
import { EMPTY, minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { RecordLink } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { LoadedTimeline } from "../../../ui/timeline";
import { differenceActions } from "./actions";
import { paymentDifferenceFields } from "./fields";

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["number", "status"];

const detailFields = paymentDifferenceFields.filter(({ key }) => !HEAD.includes(key));

export default function DifferenceDetail() {
  return (
    <DetailPage<PaymentDifferenceRow>
      load="difference"
      list={{ href: "/payConfig/order-list/differences", title: "paymentDifference.title" }}
      points="payConfig/order-list"
      title={({ number }) => number}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["ourCents", "theirCents", "direction", "paymentOrderNo", "payeeChannelName", "day"]}
      fields={paymentDifferenceFields}
      actions={differenceActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Description wide filled fields={detailFields} row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={paymentDifferenceFields} /> },
      ]}
    />
  );
}

/** What the two sides have, who settled it, and the day that it is of. */
function State({ row }: { row: PaymentDifferenceRow }) {
  const t = useT();
  return (
    <RecordState text={stateOf(row, t)}>
      <RecordLink
        href={`/payConfig/order-list/statements/${row.paymentStatementId}`}
        point="payConfig/order-list/list"
        name={t("paymentDifference.ofDay", { channel: row.payeeChannelName, day: row.day })}
        inText
      />
    </RecordState>
  );
}

function stateOf(
  { kind, status, direction, ourCents, theirCents, note, settlerName, settledAt }: PaymentDifferenceRow,
  t: Translate,
): string {
  const sides = t(`paymentDifference.sides.${kind}`, {
    status: t(`DifferenceStatus.${status}`),
    direction: t(`MoneyDirection.${direction}`),
    platform: money(ourCents),
    provider: money(theirCents),
  });
  if (status === "open") return sides + t("paymentDifference.toSettle");
  return sides + t("paymentDifference.settledBy", { name: settlerName ?? EMPTY, at: minute(settledAt), note: note ?? EMPTY });
}
