/** /finance/partner/payouts/:id: one payout: whether the channel has the money or who has to act, and what happened to it. */
import type { PayoutRow } from "../../../lib/api-types";
import { minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { recordTabs } from "../../../ui/record-tabs";
import { payoutActions } from "./actions";
import { payoutFields, payoutTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(payoutFields);

export default function PayoutDetail() {
  return (
    <DetailPage<PayoutRow>
      load="payout"
      list={{ href: "/finance/partner/payouts", title: "payout.title" }}
      points="finance/partner"
      title={({ payoutNo }) => payoutNo}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["channelName", "statementNo", "amountCents", "taxCents", "payeeOrgName", "bankNumber", "paidAt", "proofFiles"]}
      fields={fields}
      actions={payoutActions}
      tabs={recordTabs(fields, payoutTitles)}
    />
  );
}

/** Whether the channel has the money, or who has to act. */
function State({ row }: { row: PayoutRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "waiting" ? row.decision : null} />;
}

function stateOf(row: PayoutRow, t: Translate): string {
  const { status, beforeBooks, channelName: channel, payeeOrgName: payee, amountCents, taxCents } = row;
  const note = status === "failed" ? row.failure : status === "returned" ? row.returnReason : row.reviewNote;
  return t(`payout.state.${status === "waiting" && beforeBooks ? "waitingMade" : status}`, {
    status: t(`PayoutStatus.${status}`),
    channel,
    payee,
    amount: money(amountCents),
    tax: money(taxCents),
    at: minute(status === "returned" ? row.returnedAt : row.paidAt),
    names: row.decision?.makerNames ?? row.creatorName ?? "",
    note: note ?? "",
  });
}
