/** /finance/account/balances: what each account of the journal holds at the end of a day. Debit and credit are equal. */
import type { BalanceRow } from "../../lib/api-types";
import { ListPage } from "../../ui/list-page";
import { balanceFields, balanceFilters } from "./balance-fields";
import { AccountTabs } from "./tabs";

export default function Balances() {
  return (
    <>
      <AccountTabs current="/finance/account/balances" />
      <ListPage<BalanceRow>
        title="balance.title"
        empty="balance.empty"
        api="/finance/journal/balance"
        points="finance/account"
        fields={balanceFields}
        filters={balanceFilters}
      />
    </>
  );
}
