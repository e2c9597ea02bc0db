/** /payConfig/order-list/statements: the statements of banks and providers, matched with our payments day by day, and each day's closing. */
import type { PaymentStatementRow, SelectOption } from "../../../lib/api-types";
import { useLoaded, useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { importStatement, statementActions } from "./actions";
import { paymentStatementFields, paymentStatementFilters } from "./fields";

export default function Statements() {
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  // Statements belong to the platform: viewers with the widest scope import them.
  const imports = useViewer()?.scope === "all";
  return (
    <>
      <OrderTabs current="/payConfig/order-list/statements" />
      <ListPage<PaymentStatementRow>
        title="paymentStatement.title"
        empty="paymentStatement.empty"
        api="/payStatement"
        points="payConfig/order-list"
        fields={paymentStatementFields}
        filters={paymentStatementFilters}
        href={({ id }) => `/payConfig/order-list/statements/${id}`}
        create={
          imports
            ? { label: "paymentStatement.import", icon: "upload", point: "reconcile", run: (list) => importStatement(list, channels) }
            : undefined
        }
        actions={statementActions}
      />
    </>
  );
}
