/** /finance/account/entries: every movement of the accounts of organisations. */
import type { EntryRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { entryFields, entryFilters } from "./fields";

export default function Entries() {
  return (
    <>
      <AccountTabs current="/finance/account/entries" />
      <ListPage<EntryRow>
        title="entry.title"
        empty="entry.empty"
        api="/finance/account/ledger"
        points="finance/account"
        fields={entryFields}
        filters={entryFilters}
      />
    </>
  );
}
