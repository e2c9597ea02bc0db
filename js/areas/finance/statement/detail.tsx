/** /finance/statement/:id: the statement of one account and month: who has to act, what it adds up, and the organisation's answer. */
import type { StatementRow } from "../../../lib/api-types";
import { EMPTY, minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { recordTabs } from "../../../ui/record-tabs";
import { statementActions } from "./actions";
import { statementFields } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(statementFields);

export default function StatementDetail() {
  return (
    <DetailPage<StatementRow>
      load="statement"
      list={{ href: "/finance/account/statements", title: "statement.title" }}
      points="finance/account"
      title={({ orgName, month }) => `${orgName} ${month}`}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["openingCents", "rechargeCents", "giftCents", "adjustCents", "spendCents", "refundCents", "closingCents", "entries"]}
      fields={fields}
      actions={statementActions}
      tabs={recordTabs(fields)}
    />
  );
}

/** Whether the organisation agrees, or who has to act. */
function State({ row }: { row: StatementRow }) {
  return <RecordState text={stateOf(row, useT())} />;
}

function stateOf({ status, orgName: org, closingCents, sentAt, answeredName, answeredAt, note }: StatementRow, t: Translate): string {
  return t(`statement.state.${status}`, {
    status: t(`StatementStatus.${status}`),
    org,
    closing: money(closingCents),
    sent: minute(sentAt),
    name: answeredName ?? EMPTY,
    at: minute(answeredAt),
    note: note ?? EMPTY,
  });
}
