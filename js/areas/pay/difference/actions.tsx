/** What is done with a difference, in the list and on its page, by platform staff. */
import type { PaymentDifferenceRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

export const differenceActions: readonly RowAction<PaymentDifferenceRow>[] = [
  { label: "paymentDifference.settle", point: "reconcile", when: isOpen, run: settle },
];

function isOpen({ status }: PaymentDifferenceRow, { orgId }: Viewer): boolean {
  return orgId === null && status === "open";
}

async function settle({ id, version, number, ourCents, theirCents }: PaymentDifferenceRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const settled = await open<PaymentDifferenceRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentDifference.settleTitle", { number, platform: money(ourCents), provider: money(theirCents) }),
      submit: t("paymentDifference.settle"),
      draft: `paymentDifference.settle ${id}`,
      label: "paymentDifference.note",
      hint: "paymentDifference.settleHint",
      save: (note) => api.put<PaymentDifferenceRow>("/payDifference/settle", { id, version, note }),
    }),
  );
  if (settled) await reload("paymentDifference.settled");
}
