/** What may be done with a recharge, in its list and on its page. */
import type { RechargeRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import type { List, RowAction } from "../../../ui/actions";
import type { RechargeChoices } from "./fields";

/** The person who requested a recharge or its reversal may not decide on it; the list's column names them. */
export const rechargeActions: readonly RowAction<RechargeRow>[] = [
  { label: "recharge.approve", point: "audit", when: (row, viewer) => waitsFor(row, viewer.id), run: approve },
  { label: "recharge.reject", point: "audit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: withNote("reject") },
  {
    label: "recharge.cancel",
    point: "create",
    danger: true,
    when: (row, viewer) => row.status === "pending" && row.createdBy === viewer.id,
    run: cancel,
  },
  {
    label: "recharge.reverse",
    point: "audit",
    danger: true,
    when: (row, viewer) => isAsked(row) && !isMaker(row, viewer.id),
    run: reverse,
  },
  { label: "recharge.keep", point: "audit", when: (row, viewer) => isAsked(row) && !isMaker(row, viewer.id), run: withNote("keep") },
  { label: "recharge.askReversal", point: "audit", danger: true, when: mayAskReversal, run: withNote("askReversal") },
  {
    label: "recharge.withdrawReversal",
    point: "audit",
    when: (row, viewer) => isAsked(row) && isMaker(row, viewer.id),
    run: withdrawReversal,
  },
];

const waitsFor = (row: RechargeRow, viewer: number) => row.status === "pending" && !isMaker(row, viewer);
const isAsked = ({ decision }: RechargeRow) => decision?.action === "reverse_recharge";

/** A recharge from a payment order is not reversed but refunded by the order. */
function mayAskReversal(row: RechargeRow): boolean {
  return row.status === "credited" && !isAsked(row) && row.paymentOrderId === null;
}

/** Opens the form of a new recharge. */
export async function apply({ t, open, reload }: List, choices: RechargeChoices) {
  const { rechargeDialog } = await import("./form");
  if (await open<RechargeRow>((overlay) => rechargeDialog({ overlay, t, choices }))) await reload("recharge.created");
}

async function approve(row: RechargeRow, { t, open, reload }: List) {
  const [{ approvalDialog }, receipts] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>(`/finance/recharge/receipts/${row.id}`),
  ]);
  if (await open<RechargeRow>((overlay) => approvalDialog({ overlay, t, row, receipts }))) await reload("recharge.approved");
}

async function cancel({ id, version, no }: RechargeRow, { t, confirm, reload }: List) {
  const title = t("recharge.cancelTitle", { no });
  if (!(await confirm({ title, text: t("recharge.cancelText"), confirm: t("recharge.cancel"), danger: true }))) return;
  await api.put("/finance/recharge/cancel", { id, version });
  await reload("recharge.cancelled");
}

async function reverse(row: RechargeRow, { t, confirm, reload }: List) {
  const { id, version, no } = row;
  if (
    !(await confirm({
      title: t("recharge.reverseTitle", { no }),
      text: reversalText(row, t),
      confirm: t("recharge.reverse"),
      danger: true,
    }))
  )
    return;
  await api.put("/finance/recharge/audit", { id, version, approve: true });
  await reload("recharge.reversed");
}

/** The text about what a reversal takes back. The amount of a receipt is not part of it: voiding the receipt takes that back. */
function reversalText({ orgName: org, amountCents, giftCents, receiptNo, decision }: RechargeRow, t: Translate): string {
  const [amount, gift, note] = [money(amountCents), money(giftCents), decision?.note ?? ""];
  if (receiptNo !== null)
    return t(giftCents > 0 ? "recharge.reverseLinkedText" : "recharge.reverseNothingText", { org, gift, receipt: receiptNo, note });
  return t(giftCents > 0 ? "recharge.reverseGiftText" : "recharge.reverseText", { org, amount, gift, note });
}

async function withdrawReversal({ id, version, no }: RechargeRow, { t, confirm, reload }: List) {
  const title = t("recharge.withdrawReversalTitle", { no });
  if (!(await confirm({ title, text: t("recharge.withdrawReversalText"), confirm: t("recharge.withdrawReversal") }))) return;
  await api.put("/finance/recharge/reverse/withdraw", { id, version });
  await reload("recharge.reversalWithdrawn");
}

const DONE = { reject: "recharge.rejected", askReversal: "recharge.reversalRequested", keep: "recharge.kept" } as const;

/** Steps that need a reason: a refusal, a request for a reversal, and the refusal of that request. */
function withNote(step: keyof typeof DONE): RowAction<RechargeRow>["run"] {
  const save = ({ id, version }: RechargeRow, note: string) =>
    step === "askReversal"
      ? api.put<RechargeRow>("/finance/recharge/reverse", { id, version, note })
      : api.put<RechargeRow>("/finance/recharge/audit", { id, version, approve: false, note });
  return async (row, { t, open, reload }) => {
    const { noteDialog } = await import("../../../ui/note-dialog");
    const saved = await open<RechargeRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(`recharge.${step}Title`, { no: row.no }),
        submit: t(`recharge.${step}`),
        draft: `recharge.${step} ${row.id}`,
        label: step === "askReversal" ? "recharge.reversalReason" : "recharge.reviewNote",
        hint: step === "askReversal" ? "recharge.askReversalHint" : undefined,
        save: (note) => save(row, note),
      }),
    );
    if (saved) await reload(DONE[step]);
  };
}
