/** /finance/recharge/:id: one recharge, and what happened to it. */
import type { RechargeRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields, toOrg, toPayee } from "../../../ui/record-link";
import { recordTabs } from "../../../ui/record-tabs";
import { rechargeActions } from "./actions";
import { rechargeFields, rechargeTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(rechargeFields, { orgName: toOrg, payeeOrgName: toPayee });

export default function RechargeDetail() {
  return (
    <DetailPage<RechargeRow>
      load="recharge"
      list={{ href: "/finance/recharge", title: "recharge.title" }}
      points="finance/recharge"
      title={({ no }) => no}
      status="status"
      facts={["orgName", "amountCents", "giftCents", "creditedAt"]}
      fields={fields}
      actions={rechargeActions}
      tabs={recordTabs(fields, rechargeTitles)}
    />
  );
}
