/** What can be done with money, in its list, on its own page and on the page of a clue. */
import type { MoneyRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import type { List, RowAction } from "../../../ui/actions";
import type { Answer } from "../../../ui/another-payment";
import type { MoneyStep } from "./form";

/** A record can be edited until it was confirmed. */
const isOpen = ({ status }: MoneyRow) => status === "pending" || status === "rejected";
const waitsFor = (row: MoneyRow, viewer: number) => row.status === "pending" && !isMaker(row, viewer);
/** Money of a payment order is refunded by the order and cannot be voided here. */
const canVoid = (row: MoneyRow, viewer: number) =>
  row.status === "confirmed" && row.paymentOrderId === null && row.createdBy !== viewer && row.reviewedBy !== viewer;

export const moneyActions: readonly RowAction<MoneyRow>[] = [
  { label: "money.confirm", point: "moneyAudit", when: (row, viewer) => waitsFor(row, viewer.id), run: confirmed },
  { label: "money.reject", point: "moneyAudit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: withNote("reject") },
  { label: "money.void", point: "moneyAudit", danger: true, when: (row, viewer) => canVoid(row, viewer.id), run: withNote("void") },
  { label: "money.editAction", point: "money", when: isOpen, run: edit },
  { label: "money.delete", point: "money", danger: true, when: isOpen, run: remove },
];

/** Opens the form of a new record; with a clue, for that one. */
export async function openMoneyForm({ t, open, reload }: List, clue?: { clueId: number; clueNo: string }) {
  const { moneyDialog } = await import("./form");
  if (await open<MoneyRow>((overlay) => moneyDialog({ overlay, t, clue, row: undefined }))) await reload("money.created");
}

async function edit(row: MoneyRow, { t, open, reload }: List) {
  const { moneyDialog } = await import("./form");
  if (await open<MoneyRow>((overlay) => moneyDialog({ overlay, t, clue: row, row }))) await reload("money.saved");
}

async function confirmed({ id, version, no, clueNo, type, amountCents }: MoneyRow, list: List) {
  const { t, confirm, reload } = list;
  const text = t("money.confirmText", { type: t(`MoneyType.${type}`), amount: money(amountCents), clue: clueNo });
  const title = t("money.confirmTitle", { no });
  if (!(await confirm({ title, text, confirm: t("money.confirm") }))) return;
  const { sendDecision } = await import("../../../ui/another-payment");
  const send = (answer: Answer) => api.put<MoneyRow>("/crm/money/status", { id, version, status: "confirmed", ...answer });
  if (await sendDecision(list, { title, submit: t("money.confirm"), send })) await reload("money.confirmed");
}

const DONE = { reject: "money.rejected", void: "money.voided" } as const;

function withNote(step: MoneyStep): RowAction<MoneyRow>["run"] {
  return async (row, { t, open, reload }) => {
    const { moneyNoteDialog } = await import("./form");
    if (await open<MoneyRow>((overlay) => moneyNoteDialog({ overlay, t, row, step }))) await reload(DONE[step]);
  };
}

async function remove({ id, no }: MoneyRow, { t, confirm, removed }: List) {
  const title = t("money.deleteTitle", { no });
  if (!(await confirm({ title, text: t("money.deleteText"), confirm: t("money.delete"), danger: true }))) return;
  await api.del(`/crm/deleteMoney/${id}`);
  await removed("money.deleted");
}
