/** /finance/invoice/:id: one invoice: whether it is issued or who has to act, and what happened to it. */
import type { InvoiceRow, RevealedReceiver } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { EMPTY, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
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
      sentence={(row) => <State row={row} />}
      facts={["orgName", "amountCents", "color", "kind", "title", "taxNo", "redOfNo", "issuedOn", "files"]}
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

/** Whether the invoice is issued and sent, or who has to act. */
function State({ row }: { row: InvoiceRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.status === "waiting" ? row.decision : null} />;
}

function stateOf(row: InvoiceRow, t: Translate): string {
  const { status, color, orgName: org, amountCents, title, redOfNo, redReason } = row;
  return t(`invoice.state.${status === "waiting" && color === "red" ? "waitingRed" : status}`, {
    status: t(`InvoiceStatus.${status}`),
    color: t(`InvoiceColor.${color}`),
    org,
    amount: money(amountCents),
    title,
    of: redOfNo ?? EMPTY,
    reason: redReason ?? EMPTY,
    number: row.invoiceNumber ?? EMPTY,
    day: row.issuedOn ?? EMPTY,
    names: row.decision?.makerNames ?? row.creatorName ?? "",
    note: row.reviewNote ?? "",
  });
}
