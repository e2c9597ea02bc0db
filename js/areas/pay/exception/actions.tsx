/** What is done with a payment exception, in its list and on its page, by platform staff. */
import type { ExceptionResolution, PaymentExceptionRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

/** The person who requested the acceptance of a payment may not confirm it; the list's column names them. */
export const exceptionActions: readonly RowAction<PaymentExceptionRow>[] = [
  { label: "paymentException.confirm", point: "settle", when: mayDecide, run: confirmAcceptance },
  { label: "paymentException.reject", point: "settle", danger: true, when: mayDecide, run: reject },
  {
    label: "paymentException.accept",
    point: "settle",
    when: (row, viewer) => isOpen(row, viewer) && fitsOrder(row),
    run: settleAs("accepted"),
  },
  { label: "paymentException.handle", point: "settle", when: isOpen, run: settleAs("handled") },
  { label: "paymentException.withdraw", point: "settle", when: (row, { id }) => row.decision !== null && isMaker(row, id), run: withdraw },
];

/** Whether no step was requested yet. */
function isOpen({ status, decision }: PaymentExceptionRow, { orgId }: Viewer): boolean {
  return orgId === null && status === "open" && decision === null;
}

function mayDecide(row: PaymentExceptionRow, { id, orgId }: Viewer): boolean {
  return orgId === null && row.decision !== null && !isMaker(row, id);
}

/** Whether the payment can be accepted for its order. */
export const fitsOrder = ({ kind, paymentOrderId }: PaymentExceptionRow) =>
  paymentOrderId !== null && (kind === "late" || kind === "amount" || kind === "ended_clue");

/** The question before an exception is settled. */
const steps = {
  accepted: {
    title: "paymentException.acceptTitle",
    submit: "paymentException.accept",
    hint: "paymentException.acceptHint",
    done: "paymentException.accepted",
  },
  handled: {
    title: "paymentException.handleTitle",
    submit: "paymentException.handle",
    hint: "paymentException.handleHint",
    done: "paymentException.handled",
  },
} as const;

function settleAs(resolution: ExceptionResolution): RowAction<PaymentExceptionRow>["run"] {
  return async ({ id, version, orderNo, channelOrderNo, amountCents }, { t, open, reload }) => {
    const { title, submit, hint, done } = steps[resolution];
    const { noteDialog } = await import("../../../ui/note-dialog");
    const settled = await open<PaymentExceptionRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(title, { amount: money(amountCents), order: orderNo, no: channelOrderNo }),
        submit: t(submit),
        draft: `${title} ${id}`,
        label: "paymentException.note",
        hint,
        save: (note) => api.put<PaymentExceptionRow>("/payException/settle", { id, version, resolution, note }),
      }),
    );
    if (settled) await reload(done);
  };
}

async function confirmAcceptance({ id, version, orderNo, amountCents, decision }: PaymentExceptionRow, { t, confirm, reload }: List) {
  const title = t("paymentException.confirmTitle", { order: orderNo });
  const text = t("paymentException.confirmText", {
    amount: money(amountCents),
    names: decision?.makerNames ?? "",
    note: decision?.note ?? "",
  });
  if (!(await confirm({ title, text, confirm: t("paymentException.confirm") }))) return;
  await api.put<PaymentExceptionRow>("/payException/audit", { id, version, approve: true });
  await reload("paymentException.confirmed");
}

async function reject({ id, version, orderNo }: PaymentExceptionRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PaymentExceptionRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentException.rejectTitle", { order: orderNo }),
      submit: t("paymentException.reject"),
      draft: `paymentException.reject ${id}`,
      label: "paymentException.rejectReason",
      save: (note) => api.put<PaymentExceptionRow>("/payException/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("paymentException.rejected");
}

async function withdraw({ id, version, orderNo }: PaymentExceptionRow, { t, confirm, reload }: List) {
  const title = t("paymentException.withdrawTitle", { order: orderNo });
  if (!(await confirm({ title, text: t("paymentException.withdrawText"), confirm: t("paymentException.withdraw") }))) return;
  await api.put<PaymentExceptionRow>("/payException/withdraw", { id, version });
  await reload("paymentException.withdrawn");
}
