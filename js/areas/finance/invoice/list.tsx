/** /finance/invoice: invoices that organisations requested, and their states. */
import type { InvoiceRow, SelectOption } from "../../../lib/api-types";
import { useLoaded } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { InvoiceTabs } from "../tabs";
import { apply, invoiceActions } from "./actions";
import { invoiceFields, invoiceFilters } from "./fields";

/** The parameter of the address that lists the red-letter invoices of one invoice. */
const KEPT = ["redOfId"];

export default function InvoiceList() {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  return (
    <>
      <InvoiceTabs current="/finance/invoice" />
      <ListPage<InvoiceRow>
        title="invoice.listTitle"
        empty="invoice.empty"
        api="/finance/invoice"
        points="finance/invoice"
        fields={invoiceFields}
        filters={invoiceFilters}
        kept={KEPT}
        href={({ id }) => `/finance/invoice/${id}`}
        create={{ label: "invoice.create", run: (list) => apply(list, orgs) }}
        actions={invoiceActions}
      />
    </>
  );
}
