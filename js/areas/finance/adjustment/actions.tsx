/** What is done with an adjustment, in the list and on the adjustment's page. */
import type { AdjustmentRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import type { List, RowAction } from "../../../ui/actions";

const waitsFor = (row: AdjustmentRow, viewer: number) => row.status === "pending" && !isMaker(row, viewer);

/** The person who requested an adjustment may not decide on it; the list's column names them. */
export const adjustmentActions: readonly RowAction<AdjustmentRow>[] = [
  { label: "adjustment.approve", point: "audit", when: (row, viewer) => waitsFor(row, viewer.id), run: approve },
  { label: "adjustment.reject", point: "audit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: reject },
  {
    label: "adjustment.withdraw",
    point: "adjust",
    when: (row, viewer) => row.status === "pending" && row.createdBy === viewer.id,
    run: withdraw,
  },
];

/** The amount in yuan, with its sign. */
export const signed = ({ amountCents }: AdjustmentRow) => `${amountCents > 0 ? "+" : ""}${money(amountCents)}`;

async function approve(row: AdjustmentRow, { t, confirm, reload }: List) {
  const { id, version, no, orgName, part, reason } = row;
  const text = t("adjustment.approveText", { org: orgName, part: t(`AccountPart.${part}`), amount: signed(row), reason });
  if (!(await confirm({ title: t("adjustment.approveTitle", { no }), text, confirm: t("adjustment.approve") }))) return;
  await api.put("/finance/account/adjust/audit", { id, version, approve: true });
  await reload("adjustment.approved");
}

async function reject({ id, version, no }: AdjustmentRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<AdjustmentRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("adjustment.rejectTitle", { no }),
      submit: t("adjustment.reject"),
      draft: `adjustment.reject ${id}`,
      label: "adjustment.reviewNote",
      save: (note) => api.put<AdjustmentRow>("/finance/account/adjust/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("adjustment.rejected");
}

async function withdraw({ id, version, no }: AdjustmentRow, { t, confirm, reload }: List) {
  const title = t("adjustment.withdrawTitle", { no });
  if (!(await confirm({ title, text: t("adjustment.withdrawText"), confirm: t("adjustment.withdraw") }))) return;
  await api.put("/finance/account/adjust/withdraw", { id, version });
  await reload("adjustment.withdrawn");
}
