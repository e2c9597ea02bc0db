/** /crm/money/:id: one record of money: what it proves, what was decided, and what was changed. */
import type { MoneyRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { moneyActions } from "./actions";
import { moneyFields, moneyTitles } from "./fields";

export default function MoneyDetail() {
  return (
    <DetailPage<MoneyRow>
      load="money"
      list={{ href: "/crm/money", title: "money.title" }}
      points="crm/clue"
      title={({ no }) => no}
      status="status"
      facts={["clueNo", "type", "amountCents", "paidAt"]}
      fields={moneyFields}
      actions={moneyActions}
      tabs={recordTabs(moneyFields, moneyTitles)}
    />
  );
}
