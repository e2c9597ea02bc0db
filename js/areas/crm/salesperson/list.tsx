/** /crm/saleman: the salespeople of organisations, what each of them takes, and how one leaves. */
import type { SalespersonRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { SalespeopleTabs } from "../salespeople-tabs";
import { create, salespersonActions, useSalespersonChoices } from "./actions";
import { salespersonFields, salespersonFilters } from "./fields";

export default function Salespeople() {
  const choices = useSalespersonChoices();
  return (
    <>
      <SalespeopleTabs current="/crm/saleman" />
      <ListPage<SalespersonRow>
        title="salesperson.title"
        empty="salesperson.empty"
        api="/crm/salesperson"
        points="crm/saleman"
        fields={salespersonFields}
        filters={salespersonFilters}
        href={({ id }) => `/crm/saleman/${id}`}
        create={{ label: "salesperson.create", point: "sales", run: (list) => create(list, choices) }}
        actions={salespersonActions(choices)}
      />
    </>
  );
}
