/** /finance/invoice/:id: one invoice, and what happened to it. */
import type { InvoiceRow, RevealedReceiver } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { LoadedTimeline } from "../../../ui/timeline";
import { invoiceActions } from "./actions";
import { invoiceFields, invoiceTitles } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(invoiceFields);

export default function InvoiceDetail() {
  return (
    <DetailPage<InvoiceRow>
      load="invoice"
      list={{ href: "/finance/invoice", title: "invoice.listTitle" }}
      points="finance/invoice"
      title={({ no }) => no}
      status="status"
      facts={["amountCents", "kind", "title", "issuedOn"]}
      fields={fields}
      actions={invoiceActions}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Details row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={invoiceFields} titles={invoiceTitles} />,
        },
      ]}
    />
  );
}

function Details({ row }: { row: InvoiceRow }) {
  const mayReveal = useHasPoint(["finance/invoice/reveal"]);
  const receiverPhoneMask = async () => (await api.get<RevealedReceiver>(`/finance/invoice/reveal/${row.id}`)).receiverPhone;
  return <Description wide fields={fields} row={row} reveals={mayReveal ? { receiverPhoneMask } : undefined} />;
}
