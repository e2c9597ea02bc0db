/** /org/payee: the platform's legal bodies, which organisations pay. */
import type { PayeeRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { OrgTabs } from "../tabs";
import { edit, payeeActions } from "./actions";
import { payeeFields, payeeFilters } from "./fields";

export default function PayeeList() {
  return (
    <>
      <OrgTabs current="/org/payee" />
      <ListPage<PayeeRow>
        title="payee.title"
        empty="payee.empty"
        api="/org/payee"
        points="org/payee"
        fields={payeeFields}
        filters={payeeFilters}
        href={({ id }) => `/org/payee/${id}`}
        create={{ label: "payee.create", run: (list) => edit(undefined, list) }}
        actions={payeeActions}
      />
    </>
  );
}
