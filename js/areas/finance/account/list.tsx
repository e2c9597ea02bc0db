/** /finance/account: what the accounts of organisations hold. */
import type { AccountRow } from "../../../lib/api-types";
import { ListPage, type RowAction } from "../../../ui/list-page";
import { AccountTabs } from "../tabs";
import { accountActions } from "./actions";
import { accountFields, accountFilters } from "./fields";

export const actions: readonly RowAction<AccountRow>[] = [
  { label: "account.openEntries", point: "list", run: ({ id }, { go }) => go(`/finance/account/entries?orgId=${id}`) },
  ...accountActions,
];

export default function AccountList() {
  return (
    <>
      <AccountTabs current="/finance/account" />
      <ListPage<AccountRow>
        title="account.listTitle"
        empty="account.listEmpty"
        api="/finance/account"
        points="finance/account"
        fields={accountFields}
        filters={accountFilters}
        href={({ id }) => `/finance/account/${id}`}
        actions={actions}
      />
    </>
  );
}
