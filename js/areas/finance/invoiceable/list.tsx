/** /finance/invoice/invoiceable: what organisations spent with each payee, and what of it can be invoiced. */
import type { InvoiceableRow, SelectOption } from "../../../lib/api-types";
import { useLoaded } from "../../../lib/props";
import { ListPage, type RowAction } from "../../../ui/list-page";
import { apply } from "../invoice/actions";
import { InvoiceTabs } from "../tabs";
import { invoiceableFields, invoiceableFilters } from "./fields";

export default function Invoiceables() {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const actions: readonly RowAction<InvoiceableRow>[] = [
    {
      label: "invoice.create",
      point: "create",
      when: ({ invoiceableCents }) => invoiceableCents > 0,
      run: (row, list) => apply(list, orgs, row),
    },
  ];
  return (
    <>
      <InvoiceTabs current="/finance/invoice/invoiceable" />
      <ListPage<InvoiceableRow>
        title="invoiceable.title"
        empty="invoiceable.empty"
        api="/finance/invoiceable"
        points="finance/invoice"
        exports={false}
        fields={invoiceableFields}
        filters={invoiceableFilters}
        rowKey={({ id, payeeOrgId }) => `${id} ${payeeOrgId}`}
        actions={actions}
      />
    </>
  );
}
