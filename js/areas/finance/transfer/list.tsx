/** /finance/account/transfers: every transfer between two accounts of the journal. */
import type { JournalRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { transferFields, transferFilters } from "./fields";

export default function Transfers() {
  return (
    <>
      <AccountTabs current="/finance/account/transfers" />
      <ListPage<JournalRow>
        title="transfer.title"
        empty="transfer.empty"
        api="/finance/journal"
        points="finance/account"
        fields={transferFields}
        filters={transferFilters}
      />
    </>
  );
}
