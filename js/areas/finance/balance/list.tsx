/** /finance/account/balances: what each account of the journal holds at the end of a day. Debit and credit are equal. */
import type { BalanceRow, JournalProgress } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { balanceFields, balanceFilters } from "./fields";

export default function Balances() {
  const t = useT();
  const isIncomplete = useLoaded<JournalProgress>("progress")?.complete === false;
  return (
    <>
      <AccountTabs current="/finance/account/balances" />
      {isIncomplete && (
        <p className="ll-alert ll-alert-warning" role="alert">
          {t("balance.incomplete")}
        </p>
      )}
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
