/** /finance/partner/payouts/:id: one payout, and what happened to it. */
import type { PayoutRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
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
      facts={["channelName", "amountCents", "taxCents", "paidAt"]}
      fields={fields}
      actions={payoutActions}
      tabs={recordTabs(fields, payoutTitles)}
    />
  );
}
