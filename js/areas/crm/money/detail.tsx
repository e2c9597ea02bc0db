/** /crm/money/:id: one record of money: whether it counts or who decides, what proves it, and what was changed. */
import type { MoneyRow } from "../../../lib/api-types";
import { money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { recordTabs } from "../../../ui/record-tabs";
import { moneyActions } from "./actions";
import { moneyFields, moneyTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(moneyFields);

export default function MoneyDetail() {
  return (
    <DetailPage<MoneyRow>
      load="money"
      list={{ href: "/crm/money", title: "money.title" }}
      points="crm/clue"
      title={({ no }) => no}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["clueNo", "salesName", "amountCents", "loanCents", "payMethod", "paidAt", "bankSerial", "proofFiles"]}
      fields={fields}
      actions={moneyActions}
      tabs={recordTabs(fields, moneyTitles)}
    />
  );
}

/** Whether the record counts, or who has to act. */
function State({ row }: { row: MoneyRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "pending" ? row.decision : null} />;
}

function stateOf({ status, type, clueNo: clue, amountCents, decision, creatorName, reviewNote }: MoneyRow, t: Translate): string {
  return t(`money.state.${status}`, {
    status: t(`MoneyStatus.${status}`),
    type: t(`MoneyType.${type}`),
    amount: money(amountCents),
    clue,
    names: decision?.makerNames ?? creatorName ?? "",
    note: reviewNote ?? "",
  });
}
