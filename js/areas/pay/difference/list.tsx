/** /payConfig/order-list/differences: differences between statements and our payments, and how each was resolved. */
import type { PaymentDifferenceRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Viewer } from "../../../lib/types";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { OrderTabs } from "../tabs";
import { paymentDifferenceFields, paymentDifferenceFilters } from "./fields";

/** The parameter of links from a statement to its differences: a search keeps it, a reset removes it. */
const KEPT = ["paymentStatementId"];

export default function Differences() {
  return (
    <>
      <OrderTabs current="/payConfig/order-list/differences" />
      <ListPage<PaymentDifferenceRow>
        title="paymentDifference.title"
        empty="paymentDifference.empty"
        api="/payDifference"
        points="payConfig/order-list"
        fields={paymentDifferenceFields}
        filters={paymentDifferenceFilters}
        kept={KEPT}
        actions={actions}
      />
    </>
  );
}

export const actions: readonly RowAction<PaymentDifferenceRow>[] = [
  { label: "paymentDifference.view", point: "list", run: view },
  { label: "paymentDifference.settle", point: "reconcile", when: isOpen, run: settle },
];

function isOpen({ status }: PaymentDifferenceRow, { orgId }: Viewer): boolean {
  return orgId === null && status === "open";
}

async function view(row: PaymentDifferenceRow, { t, open }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={t("paymentDifference.viewTitle", { number: row.number })}
      row={row}
      fields={paymentDifferenceFields}
      record={`/payDifference/${row.id}`}
      history={`/payDifference/history/${row.id}`}
    />
  ));
}

async function settle({ id, version, number }: PaymentDifferenceRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const settled = await open<PaymentDifferenceRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentDifference.settleTitle", { number }),
      submit: t("paymentDifference.settle"),
      label: "paymentDifference.note",
      hint: "paymentDifference.settleHint",
      save: (note) => api.put<PaymentDifferenceRow>("/payDifference/settle", { id, version, note }),
    }),
  );
  if (settled) await reload("paymentDifference.settled");
}
