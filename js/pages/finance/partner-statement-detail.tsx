/** /finance/partner/:id: the statement of one channel and month, its figures and what was answered. */
import type { PartnerStatementRow } from "../../lib/api-types";
import { DetailPage } from "../../ui/detail-page";
import { recordTabs } from "../../ui/record-tabs";
import { partnerStatementActions } from "./partner-statement-actions";
import { partnerStatementFields } from "./partner-statement-fields";

export default function PartnerStatementDetail() {
  return (
    <DetailPage<PartnerStatementRow>
      load="statement"
      list={{ href: "/finance/partner", title: "partner.title" }}
      points="finance/partner"
      title={({ channelName, month }) => `${channelName} ${month}`}
      status="status"
      facts={["totalCents", "netCents", "paidCents", "items"]}
      fields={partnerStatementFields}
      actions={partnerStatementActions}
      tabs={recordTabs(partnerStatementFields)}
    />
  );
}
