/** /finance/statement/:id: the statement of one account and month, and the organisation's answer. */
import type { StatementRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
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
      facts={["openingCents", "closingCents", "entries", "sentAt"]}
      fields={fields}
      actions={statementActions}
      tabs={recordTabs(fields)}
    />
  );
}
