/** What is done with a payment link, in the list and on the link's page. */
import type { LinkBatch, PaymentLinkRow, PaymentLinkStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { paymentLinkStatusSteps } from "../../../lib/codes";
import { isMaker } from "../../../lib/decision";
import type { List, RowAction } from "../../../ui/actions";
import { decideOn, mayReview, withdrawProposal } from "../../../ui/proposal-actions";

/** Whether a link may get a status; the link of an order cannot change. */
const may = (to: PaymentLinkStatus) => (row: PaymentLinkRow) => paymentLinkStatusSteps[row.status].includes(to);

/** The import of a link that awaits approval. */
const importOf = ({ batchId, batchVersion, decision }: PaymentLinkRow) => ({ id: batchId ?? 0, version: batchVersion ?? 0, decision });

export const linkActions: readonly RowAction<PaymentLinkRow>[] = [
  { label: "proposal.import.approve", point: "audit", when: (row, { id }) => mayReview(row, id), run: decide(true) },
  { label: "proposal.import.reject", point: "audit", danger: true, when: (row, { id }) => mayReview(row, id), run: decide(false) },
  {
    label: "paymentLink.withdraw",
    point: "import",
    when: (row, { id }) => isMaker(row, id),
    run: (row, list) => withdrawProposal("/payPool/batch", importOf(row), row.batchNo, leaving(list), "import"),
  },
  { label: "paymentLink.disable", point: "update", when: may("disabled"), run: disable },
  { label: "paymentLink.enable", point: "update", when: may("free"), run: enable },
  { label: "paymentLink.retire", point: "update", danger: true, when: may("invalid"), run: retire },
  {
    label: "paymentLink.delete",
    point: "delete",
    danger: true,
    when: ({ paymentOrderId, status }) => paymentOrderId === null && status !== "proposed",
    run: remove,
  },
];

/** An import that is rejected or withdrawn is deleted with its links: its page then opens the list. */
const leaving = (list: List): List => ({
  ...list,
  reload: async (done) => (done === undefined || done === "proposal.import.approved" ? list.reload(done) : list.removed(done)),
});

/** Shows an import, and asks for the decision on all of its links. */
function decide(approve: boolean): RowAction<PaymentLinkRow>["run"] {
  return async ({ batchId }, list) => {
    const [batch, { LinkReview }] = await Promise.all([api.get<LinkBatch>(`/payPool/batch/${batchId}`), import("./review")]);
    await decideOn(approve, "/payPool/batch", batch, batch.no, <LinkReview batch={batch} />, leaving(list), "import");
  };
}

async function disable({ id, version }: PaymentLinkRow, { reload }: List) {
  await api.put("/payPool/status", { id, version, status: "disabled" });
  await reload("paymentLink.disabled");
}

async function enable({ id, version }: PaymentLinkRow, { reload }: List) {
  await api.put("/payPool/status", { id, version, status: "free" });
  await reload("paymentLink.enabled");
}

async function retire({ id, version, urlMask }: PaymentLinkRow, { t, confirm, reload }: List) {
  const title = t("paymentLink.retireTitle", { link: urlMask });
  if (!(await confirm({ title, text: t("paymentLink.retireText"), confirm: t("paymentLink.retire"), danger: true }))) return;
  await api.put("/payPool/status", { id, version, status: "invalid" });
  await reload("paymentLink.retired");
}

async function remove({ id, urlMask }: PaymentLinkRow, { t, confirm, removed }: List) {
  const title = t("paymentLink.deleteTitle", { link: urlMask });
  if (!(await confirm({ title, text: t("paymentLink.deleteText"), confirm: t("paymentLink.delete"), danger: true }))) return;
  await api.del(`/payPool/${id}`);
  await removed("paymentLink.deleted");
}
