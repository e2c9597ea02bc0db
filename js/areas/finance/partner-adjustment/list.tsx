/** /finance/partner/adjustments: corrections of channels' statements, and who approves them. */
import type { PartnerAdjustmentRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { money } from "../../../lib/format";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { PartnerTabs } from "../tabs";
import { partnerAdjustmentFields, partnerAdjustmentFilters } from "./fields";

export default function PartnerAdjustments() {
  return (
    <>
      <PartnerTabs current="/finance/partner/adjustments" />
      <ListPage<PartnerAdjustmentRow>
        title="partner.adjustmentsTitle"
        empty="partner.adjustmentsEmpty"
        api="/partner/adjust"
        points="finance/partner"
        fields={partnerAdjustmentFields}
        filters={partnerAdjustmentFilters}
        actions={actions}
      />
    </>
  );
}

const waitsFor = (row: PartnerAdjustmentRow, viewer: number) => row.status === "pending" && !isMaker(row, viewer);

/** The person who requested a correction may not decide on it; the list's column names them. */
export const actions: readonly RowAction<PartnerAdjustmentRow>[] = [
  { label: "adjustment.approve", point: "audit", when: (row, viewer) => waitsFor(row, viewer.id), run: approve },
  { label: "adjustment.reject", point: "audit", danger: true, when: (row, viewer) => waitsFor(row, viewer.id), run: reject },
  {
    label: "adjustment.withdraw",
    point: "adjust",
    when: (row, viewer) => row.status === "pending" && row.createdBy === viewer.id,
    run: withdraw,
  },
];

async function approve(
  { id, version, adjustmentNo, channelName, amountCents, reason }: PartnerAdjustmentRow,
  { t, confirm, reload }: List,
) {
  const amount = `${amountCents > 0 ? "+" : ""}${money(amountCents)}`;
  const text = t("partner.approveText", { channel: channelName, amount, reason });
  if (!(await confirm({ title: t("adjustment.approveTitle", { no: adjustmentNo }), text, confirm: t("adjustment.approve") }))) return;
  await api.put("/partner/adjust/audit", { id, version, approve: true });
  await reload("partner.adjustApproved");
}

async function reject({ id, version, adjustmentNo }: PartnerAdjustmentRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PartnerAdjustmentRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("adjustment.rejectTitle", { no: adjustmentNo }),
      submit: t("adjustment.reject"),
      draft: `partnerAdjustment.reject ${id}`,
      label: "partnerAdjustment.reviewNote",
      save: (note) => api.put<PartnerAdjustmentRow>("/partner/adjust/audit", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("adjustment.rejected");
}

async function withdraw({ id, version, adjustmentNo }: PartnerAdjustmentRow, { t, confirm, reload }: List) {
  const title = t("adjustment.withdrawTitle", { no: adjustmentNo });
  if (!(await confirm({ title, text: t("adjustment.withdrawText"), confirm: t("adjustment.withdraw") }))) return;
  await api.put("/partner/adjust/withdraw", { id, version });
  await reload("adjustment.withdrawn");
}
