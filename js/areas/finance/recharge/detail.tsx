/** /finance/recharge/:id: one recharge, and what happened to it. */
import type { RechargeRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { rechargeActions } from "./actions";
import { rechargeFields, rechargeTitles } from "./fields";

export default function RechargeDetail() {
  return (
    <DetailPage<RechargeRow>
      load="recharge"
      list={{ href: "/finance/recharge", title: "recharge.title" }}
      points="finance/recharge"
      title={({ no }) => no}
      status="status"
      facts={["orgName", "amountCents", "giftCents", "creditedAt"]}
      fields={rechargeFields}
      actions={rechargeActions}
      tabs={recordTabs(rechargeFields, rechargeTitles)}
    />
  );
}
