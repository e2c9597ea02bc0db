/** The actions on a payment exception, for platform staff. */
import type { ExceptionResolution, PaymentExceptionRow } from "../../lib/api-types";
import { api } from "../../lib/api";
import { money } from "../../lib/format";
import type { Viewer } from "../../lib/types";
import type { List, RowAction } from "../../ui/actions";
import { paymentExceptionFields } from "./exception-fields";

export const exceptionActions: readonly RowAction<PaymentExceptionRow>[] = [
  { label: "paymentException.view", point: "list", run: view },
  { label: "paymentException.accept", point: "settle", when: (row, viewer) => isOpen(row, viewer) && fitsOrder(row), run: settleAs("accepted") },
  { label: "paymentException.handle", point: "settle", when: isOpen, run: settleAs("handled") },
];

function isOpen({ status }: PaymentExceptionRow, { orgId }: Viewer): boolean {
  return orgId === null && status === "open";
}

/** Whether its order can count as paid by it. */
const fitsOrder = ({ kind, paymentOrderId }: PaymentExceptionRow) => paymentOrderId !== null && (kind === "late" || kind === "amount" || kind === "ended_clue");

async function view(row: PaymentExceptionRow, { t, open }: List) {
  const { DetailDrawer } = await import("../../ui/detail-drawer");
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={t("paymentException.viewTitle", { no: row.channelOrderNo })}
      row={row}
      fields={paymentExceptionFields}
      record={`/payException/${row.id}`}
      history={`/payException/history/${row.id}`}
    />
  ));
}

/** What is asked before an exception is settled. */
const steps = {
  accepted: {
    title: "paymentException.acceptTitle", submit: "paymentException.accept", hint: "paymentException.acceptHint", done: "paymentException.accepted",
  },
  handled: {
    title: "paymentException.handleTitle", submit: "paymentException.handle", hint: "paymentException.handleHint", done: "paymentException.handled",
  },
} as const;

function settleAs(resolution: ExceptionResolution): RowAction<PaymentExceptionRow>["run"] {
  return async ({ id, version, orderNo, channelOrderNo, amountCents }, { t, open, reload }) => {
    const { title, submit, hint, done } = steps[resolution];
    const { noteDialog } = await import("../finance/note-form");
    const settled = await open<PaymentExceptionRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(title, { amount: money(amountCents), order: orderNo, no: channelOrderNo }),
        submit: t(submit),
        label: "paymentException.note",
        hint,
        save: (note) => api.put<PaymentExceptionRow>("/payException/settle", { id, version, resolution, note }),
      }),
    );
    if (settled) await reload(done);
  };
}
