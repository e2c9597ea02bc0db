/** /finance/recharge/:id: one recharge: whether it is credited or who decides on it, and what happened to it. */
import type { RechargeRow } from "../../../lib/api-types";
import { money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { recordTabs } from "../../../ui/record-tabs";
import { rechargeActions } from "./actions";
import { rechargeFields, rechargeTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(rechargeFields);

export default function RechargeDetail() {
  return (
    <DetailPage<RechargeRow>
      load="recharge"
      list={{ href: "/finance/recharge", title: "recharge.title" }}
      points="finance/recharge"
      title={({ no }) => no}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["orgName", "amountCents", "giftCents", "payMethod", "proofFiles", "creditedAt"]}
      fields={fields}
      actions={rechargeActions}
      tabs={recordTabs(fields, rechargeTitles)}
    />
  );
}

/** Whether the recharge is credited, who has to act, and the account that it is for. */
function State({ row }: { row: RechargeRow }) {
  const t = useT();
  return (
    <RecordState text={stateOf(row, t)} decision={row.decision}>
      <RecordLink href={`/finance/account/${row.orgId}`} point="finance/account/list" name={t("recharge.account")} inText />
    </RecordState>
  );
}

function stateOf({ status, orgName: org, amountCents, giftCents, decision, creatorName, reviewNote }: RechargeRow, t: Translate): string {
  const isReversal = decision?.action === "reverse_recharge";
  const names = decision?.makerNames ?? creatorName ?? "";
  const state = t(`recharge.state.${status}`, {
    status: t(`RechargeStatus.${status}`),
    org,
    amount: money(amountCents),
    gift: giftCents > 0 ? t("recharge.state.gift", { gift: money(giftCents) }) : "",
    names,
    note: reviewNote ?? "",
  });
  return isReversal ? state + t("recharge.state.reversal", { names, note: decision?.note ?? "" }) : state;
}
