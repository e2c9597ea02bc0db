/** /finance/account/statements: the statement of each account for a closed month, and the organisation's answer. */
import type { BookMonths, StatementRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLoaded } from "../../../lib/props";
import { type List, ListPage } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { statementActions, statementBatch } from "./actions";
import { statementFields, statementFilters } from "./fields";

export default function Statements() {
  // Empty for viewers who may not close months.
  const month = useLoaded<BookMonths>("months")?.next ?? null;
  return (
    <>
      <AccountTabs current="/finance/account/statements" />
      <ListPage<StatementRow>
        title="statement.title"
        empty="statement.empty"
        api="/finance/statement"
        points="finance/account"
        fields={statementFields}
        filters={statementFilters}
        href={({ id }) => `/finance/statement/${id}`}
        create={
          month === null ? undefined : { label: "statement.close", icon: "check", point: "statement", run: (list) => close(month, list) }
        }
        actions={statementActions}
        batch={statementBatch}
      />
    </>
  );
}

/** Closes a month, which makes its statements. */
async function close(month: string, { t, confirm, reload }: List) {
  const title = t("statement.closeTitle", { month });
  if (!(await confirm({ title, text: t("statement.closeText", { month }), confirm: t("statement.close"), danger: true }))) return;
  await api.put<BookMonths>("/finance/statement/close", { month });
  await reload("statement.closed");
}
