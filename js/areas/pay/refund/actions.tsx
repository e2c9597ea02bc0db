/** What is done with a refund, in its list, on its page and on the page of its order, by platform staff. */
import type { PaymentRefundRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";
import { isOnline } from "../channel/fields";

/** The person who requested a refund may not decide on it; the list's column names them. */
export const refundActions: readonly RowAction<PaymentRefundRow>[] = [
  { label: "paymentRefund.approve", point: "refundAudit", when: waitsFor, run: approve },
  { label: "paymentRefund.reject", point: "refundAudit", danger: true, when: waitsFor, run: reject },
  {
    label: "paymentRefund.withdraw",
    point: "refund",
    when: ({ status, createdBy }, { id }) => status === "pending" && createdBy === id,
    run: withdraw,
  },
];

function waitsFor(row: PaymentRefundRow, { id, orgId }: Viewer): boolean {
  return orgId === null && row.status === "pending" && !isMaker(row, id);
}

async function approve(row: PaymentRefundRow, { t, open, reload }: List) {
  const { approvalDialog } = await import("./form");
  if (!(await open<PaymentRefundRow>((overlay) => approvalDialog({ overlay, t, row })))) return;
  await reload(isOnline(row.provider) ? "paymentRefund.approved" : "paymentRefund.made");
}

async function reject({ id, version, no }: PaymentRefundRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PaymentRefundRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentRefund.rejectTitle", { no }),
      submit: t("paymentRefund.reject"),
      draft: `paymentRefund.reject ${id}`,
      label: "paymentRefund.reviewNote",
      save: (note) => api.put<PaymentRefundRow>("/payRefund/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("paymentRefund.rejected");
}

async function withdraw({ id, version, no }: PaymentRefundRow, { t, confirm, reload }: List) {
  const title = t("paymentRefund.withdrawTitle", { no });
  if (!(await confirm({ title, text: t("paymentRefund.withdrawText"), confirm: t("paymentRefund.withdraw") }))) return;
  await api.put("/payRefund/withdraw", { id, version });
  await reload("paymentRefund.withdrawn");
}
