/** What may be done with an invoice, in its list and on its page. The platform's people decide, issue and send. */
import type { InvoiceableRow, InvoiceRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { invoiceStatusSteps } from "../../../lib/codes";
import { isMaker } from "../../../lib/decision";
import { money, today } from "../../../lib/format";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

export const invoiceActions: readonly RowAction<InvoiceRow>[] = [
  { label: "invoice.approve", point: "audit", when: (row, viewer) => mayDecide(row, viewer, "approved"), run: approve },
  { label: "invoice.issue", point: "audit", when: ({ status }, viewer) => isStaff(viewer) && status === "approved", run: issue },
  { label: "invoice.send", point: "audit", when: ({ status }, viewer) => isStaff(viewer) && status === "issued", run: send },
  {
    label: "invoice.refuse",
    point: "audit",
    danger: true,
    when: (row, viewer) => mayDecide(row, viewer, "refused"),
    run: withNote("refused"),
  },
  {
    label: "invoice.void",
    point: "audit",
    danger: true,
    when: (row, viewer) => mayDecide(row, viewer, "void") && isVoidable(row),
    run: withNote("void"),
  },
  { label: "invoice.red", point: "create", when: mayCountBack, run: askRed },
  {
    label: "invoice.withdraw",
    point: "create",
    danger: true,
    when: ({ status, createdBy }, { id }) => status === "waiting" && createdBy === id,
    run: withdraw,
  },
];

const isStaff = ({ orgId }: Viewer) => orgId === null;

type Decision = "approved" | "refused" | "void";

/** The person who requested an invoice may not decide on it. */
function mayDecide(row: InvoiceRow, viewer: Viewer, to: Decision): boolean {
  return isStaff(viewer) && !isMaker(row, viewer.id) && invoiceStatusSteps[row.status].includes(to);
}

/** An invoice on paper can be voided within the month in which it was issued; all others need a red-letter invoice. */
function isVoidable({ color, kind, redCents, issuedOn }: InvoiceRow): boolean {
  return color === "blue" && kind !== "electronic" && redCents === 0 && issuedOn?.slice(0, 7) === today().slice(0, 7);
}

function mayCountBack({ color, status, redCents, amountCents }: InvoiceRow): boolean {
  return color === "blue" && (status === "issued" || status === "sent") && redCents < amountCents;
}

/** Opens the form of a request; `of` is the balance to invoice, if it is chosen already. */
export async function apply({ t, open, reload }: List, orgs: readonly SelectOption[], of?: InvoiceableRow) {
  const { invoiceDialog, onlyChoice } = await import("./form");
  const chosen = of ?? (await onlyChoice(orgs));
  const saved = await open<InvoiceRow>(invoiceDialog({ t, orgs, of: chosen }));
  if (saved) await reload(saved.refundedCents > 0 ? "invoice.createdLess" : "invoice.created");
}

async function askRed(row: InvoiceRow, { t, open, reload }: List) {
  const { redDialog } = await import("./form");
  if (await open<InvoiceRow>((overlay) => redDialog({ overlay, t, row }))) await reload("invoice.redCreated");
}

async function approve(row: InvoiceRow, { t, confirm, reload }: List) {
  const { id, version, no, orgName, title, amountCents, redOfNo, redReason } = row;
  const text =
    redOfNo === null
      ? t("invoice.approveText", { org: orgName, title, amount: money(amountCents) })
      : t("invoice.approveRedText", { org: orgName, amount: money(amountCents), of: redOfNo, reason: redReason ?? "" });
  if (!(await confirm({ title: t("invoice.approveTitle", { no }), text, confirm: t("invoice.approve") }))) return;
  await api.put("/finance/invoice/status", { id, version, status: "approved" });
  await reload("invoice.approved");
}

async function issue(row: InvoiceRow, { t, open, reload }: List) {
  const { issueDialog } = await import("./form");
  if (await open<InvoiceRow>((overlay) => issueDialog({ overlay, t, row }))) await reload("invoice.issued");
}

async function send(row: InvoiceRow, { t, open, reload }: List) {
  const { sendDialog } = await import("./form");
  if (await open<InvoiceRow>((overlay) => sendDialog({ overlay, t, row }))) await reload("invoice.sent");
}

async function withdraw({ id, version, no }: InvoiceRow, { t, confirm, reload }: List) {
  const title = t("invoice.withdrawTitle", { no });
  if (!(await confirm({ title, text: t("invoice.withdrawText"), confirm: t("invoice.withdraw"), danger: true }))) return;
  await api.put("/finance/invoice/withdraw", { id, version });
  await reload("invoice.withdrawn");
}

/** Steps that need a reason. */
const steps = {
  refused: { title: "invoice.refuseTitle", submit: "invoice.refuse", hint: "invoice.refuseHint", done: "invoice.refused" },
  void: { title: "invoice.voidTitle", submit: "invoice.void", hint: "invoice.voidHint", done: "invoice.voided" },
} as const;

function withNote(status: keyof typeof steps): RowAction<InvoiceRow>["run"] {
  return async ({ id, version, no, color }, { t, open, reload }) => {
    const { title, submit, hint, done } = steps[status];
    const { noteDialog } = await import("../../../ui/note-dialog");
    const saved = await open<InvoiceRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(title, { no }),
        submit: t(submit),
        draft: `${title} ${id}`,
        label: "invoice.reviewNote",
        hint: color === "red" ? "invoice.redRefuseHint" : hint,
        save: (note) => api.put<InvoiceRow>("/finance/invoice/status", { id, version, status, note }),
      }),
    );
    if (saved) await reload(done);
  };
}
