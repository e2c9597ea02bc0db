/** /crm/money: money of clues, and the people who confirm it. */
import type { MoneyRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { CrmTabs } from "../tabs";
import { moneyActions, openMoneyForm } from "./actions";
import { moneyFields, moneyFilters } from "./fields";

export default function MoneyList() {
  return (
    <>
      <CrmTabs current="/crm/money" />
      <ListPage<MoneyRow>
        title="money.title"
        empty="money.empty"
        api="/crm/money"
        points="crm/clue"
        fields={moneyFields}
        filters={moneyFilters}
        exports="/crm/moneyPage/export"
        href={({ id }) => `/crm/money/${id}`}
        create={{ label: "money.create", point: "money", run: (list) => openMoneyForm(list) }}
        actions={moneyActions}
      />
    </>
  );
}
