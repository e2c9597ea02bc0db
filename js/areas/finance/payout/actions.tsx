/** What may be done with payouts, in their list and on their pages. */
import type { PayoutRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import type { List, RowAction } from "../../../ui/actions";

const waitsFor = (row: PayoutRow, viewer: number) => row.status === "waiting" && !isMaker(row, viewer);
const isApproved = ({ status }: PayoutRow) => status === "approved";

/** The person who requested a payout may not decide on it; the list's column names them. The person who entered a payment may not enter its return. */
export const payoutActions: readonly RowAction<PayoutRow>[] = [
  { label: "payout.approve", point: "audit", when: (row, viewer) => waitsFor(row, viewer.id), run: approve },
  { label: "payout.refuse", point: "audit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: withNote("refuse") },
  { label: "payout.withdraw", point: "pay", when: (row, viewer) => row.status === "waiting" && row.createdBy === viewer.id, run: withdraw },
  { label: "payout.enterPaid", point: "pay", when: isApproved, run: enterPaid },
  { label: "payout.fail", point: "pay", danger: true, when: isApproved, run: withNote("fail") },
  {
    label: "payout.enterReturn",
    point: "audit",
    danger: true,
    when: (row, viewer) => row.status === "paid" && row.paidBy !== viewer.id,
    run: enterReturn,
  },
];

async function approve(
  { id, version, payoutNo, channelName, payeeOrgName, amountCents, taxCents, beforeBooks }: PayoutRow,
  { t, confirm, reload }: List,
) {
  const text = t(beforeBooks ? "payout.approveMadeText" : "payout.approveText", {
    channel: channelName,
    payee: payeeOrgName,
    amount: money(amountCents),
    tax: money(taxCents),
  });
  if (!(await confirm({ title: t("payout.approveTitle", { no: payoutNo }), text, confirm: t("payout.approve") }))) return;
  await api.put("/partner/payout/audit", { id, version, approve: true });
  await reload(beforeBooks ? "payout.madeApproved" : "payout.approved");
}

async function withdraw({ id, version, payoutNo }: PayoutRow, { t, confirm, reload }: List) {
  const title = t("payout.withdrawTitle", { no: payoutNo });
  if (!(await confirm({ title, text: t("payout.withdrawText"), confirm: t("payout.withdraw") }))) return;
  await api.put("/partner/payout/withdraw", { id, version });
  await reload("payout.withdrawn");
}

async function enterPaid(row: PayoutRow, { t, open, reload }: List) {
  const { paymentDialog } = await import("./form");
  if (await open<PayoutRow>((overlay) => paymentDialog({ overlay, t, row }))) await reload("payout.isPaid");
}

async function enterReturn(row: PayoutRow, { t, open, reload }: List) {
  const { returnDialog } = await import("./form");
  if (await open<PayoutRow>((overlay) => returnDialog({ overlay, t, row }))) await reload("payout.isReturned");
}

const DONE = { refuse: "payout.refused", fail: "payout.hasFailed" } as const;

/** Steps that need a reason: a refusal, and the record that the bank has not paid. */
function withNote(step: keyof typeof DONE): RowAction<PayoutRow>["run"] {
  const save = ({ id, version }: PayoutRow, note: string) =>
    step === "fail"
      ? api.put<PayoutRow>("/partner/payout/failed", { id, version, failure: note })
      : api.put<PayoutRow>("/partner/payout/audit", { id, version, approve: false, note });
  return async (row, { t, open, reload }) => {
    const { noteDialog } = await import("../../../ui/note-dialog");
    const saved = await open<PayoutRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(`payout.${step}Title`, { no: row.payoutNo }),
        submit: t(`payout.${step}`),
        draft: `payout.${step} ${row.id}`,
        label: step === "fail" ? "payout.failure" : "payout.reviewNote",
        hint: step === "fail" ? "payout.failHint" : undefined,
        save: (note) => save(row, note),
      }),
    );
    if (saved) await reload(DONE[step]);
  };
}
