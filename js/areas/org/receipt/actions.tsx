/** What may be done with a receipt, in its list and on its page. */
import type { ReceiptRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import { useLoaded } from "../../../lib/props";
import type { List, RowAction } from "../../../ui/actions";
import type { ReceiptChoices } from "./fields";
import type { ReceiptStep } from "./form";

/** The choices that the page's loads brought. */
export function useReceiptChoices(): ReceiptChoices {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const payees = useLoaded<SelectOption[]>("payees") ?? [];
  return { orgs, payees };
}

export function receiptActions(choices: ReceiptChoices): readonly RowAction<ReceiptRow>[] {
  return [
    ...decisions,
    { label: "receipt.editAction", point: "update", when: isOpen, run: (row, list) => edit(row, list, choices) },
    { label: "receipt.delete", point: "delete", danger: true, when: isOpen, run: remove },
  ];
}

/** Whether it was not confirmed yet. */
const isOpen = ({ status }: ReceiptRow) => status === "waiting" || status === "rejected";

/** The author of a record or of a request to void it may not decide on it; the list's column names them. */
const decisions: readonly RowAction<ReceiptRow>[] = [
  { label: "receipt.confirm", point: "audit", when: (row, viewer) => waitsFor(row, viewer.id), run: confirmed },
  { label: "receipt.reject", point: "audit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: withNote("reject") },
  { label: "receipt.void", point: "audit", danger: true, when: (row, viewer) => isAsked(row) && !isMaker(row, viewer.id), run: voided },
  { label: "receipt.keep", point: "audit", when: (row, viewer) => isAsked(row) && !isMaker(row, viewer.id), run: withNote("keep") },
  {
    label: "receipt.askVoid",
    point: "audit",
    danger: true,
    when: (row) => row.status === "confirmed" && !isAsked(row),
    run: withNote("askVoid"),
  },
  { label: "receipt.withdrawVoid", point: "audit", when: (row, viewer) => isAsked(row) && isMaker(row, viewer.id), run: withdrawVoid },
];

const waitsFor = (row: ReceiptRow, viewer: number) => row.status === "waiting" && !isMaker(row, viewer);
const isAsked = ({ decision }: ReceiptRow) => decision?.action === "void_receipt";

/** Opens the form of a receipt; of a new one without a row. */
export async function edit(row: ReceiptRow | undefined, { t, open, reload }: List, choices: ReceiptChoices) {
  const { receiptDialog } = await import("./form");
  if (await open<ReceiptRow>((overlay) => receiptDialog({ overlay, t, choices, row })))
    await reload(row ? "receipt.saved" : "receipt.created");
}

async function confirmed({ id, version, no, bizType, amountCents, orgName }: ReceiptRow, list: List) {
  const { t, confirm, reload } = list;
  const title = t("receipt.confirmTitle", { no });
  const text = t(bizType === "other" ? "receipt.confirmOther" : "receipt.confirmText", { amount: money(amountCents), org: orgName });
  if (!(await confirm({ title, text, confirm: t("receipt.confirm") }))) return;
  const { sendDecision } = await import("../../../ui/another-payment");
  const saved = await sendDecision(list, {
    title,
    submit: t("receipt.confirm"),
    send: (answer) => api.put<ReceiptRow>("/org/receipt/status", { id, version, status: "confirmed", ...answer }),
  });
  if (saved) await reload("receipt.confirmed");
}

async function voided({ id, version, no, amountCents, orgName, decision }: ReceiptRow, { t, confirm, reload }: List) {
  const text = t("receipt.voidText", { amount: money(amountCents), org: orgName, note: decision?.note ?? "" });
  if (!(await confirm({ title: t("receipt.voidTitle", { no }), text, confirm: t("receipt.void"), danger: true }))) return;
  await api.put("/org/receipt/status", { id, version, status: "void" });
  await reload("receipt.voided");
}

async function withdrawVoid({ id, version, no }: ReceiptRow, { t, confirm, reload }: List) {
  const title = t("receipt.withdrawVoidTitle", { no });
  if (!(await confirm({ title, text: t("receipt.withdrawVoidText"), confirm: t("receipt.withdrawVoid") }))) return;
  await api.put("/org/receipt/void/withdraw", { id, version });
  await reload("receipt.voidWithdrawn");
}

const DONE = { reject: "receipt.rejected", askVoid: "receipt.voidRequested", keep: "receipt.kept" } as const;

function withNote(step: ReceiptStep): RowAction<ReceiptRow>["run"] {
  return async (row, { t, open, reload }) => {
    const { decisionDialog } = await import("./form");
    if (await open<ReceiptRow>((overlay) => decisionDialog({ overlay, t, row, step }))) {
      await reload(DONE[step]);
    }
  };
}

async function remove({ id, no }: ReceiptRow, { t, confirm, removed }: List) {
  const title = t("receipt.deleteTitle", { no });
  if (!(await confirm({ title, text: t("receipt.deleteText"), confirm: t("receipt.delete"), danger: true }))) return;
  await api.del(`/org/receipt/${id}`);
  await removed("receipt.deleted");
}
