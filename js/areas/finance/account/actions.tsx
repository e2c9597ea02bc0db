/** What may be done with an account, in its list and on its page. The platform's people do it. */
import type { AccountRow, AccountStatus, AdjustmentRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";

const isStaff = ({ orgId }: Viewer) => orgId === null;

export const accountActions: readonly RowAction<AccountRow>[] = [
  { label: "adjustment.ask", point: "adjust", when: (_, viewer) => isStaff(viewer), run: adjust },
  {
    label: "account.freeze",
    point: "freeze",
    danger: true,
    when: ({ status }, viewer) => status === "normal" && isStaff(viewer),
    run: changeTo("frozen"),
  },
  {
    label: "account.unfreeze",
    point: "freeze",
    when: ({ status }, viewer) => status === "frozen" && isStaff(viewer),
    run: changeTo("normal"),
  },
];

/** Asks for an adjustment of the account; another person approves it. */
async function adjust(row: AccountRow, { t, open, reload }: List) {
  const { adjustmentDialog } = await import("../adjustment/form");
  if (await open<AdjustmentRow>((overlay) => adjustmentDialog({ overlay, t, row }))) await reload("adjustment.asked");
}

/** The question before a status is set. */
const steps = {
  frozen: {
    title: "account.freezeTitle",
    submit: "account.freeze",
    label: "account.statusNote",
    hint: "account.freezeHint",
    done: "account.isFrozen",
  },
  normal: {
    title: "account.unfreezeTitle",
    submit: "account.unfreeze",
    label: "account.unfreezeNote",
    hint: "account.unfreezeHint",
    done: "account.isUnfrozen",
  },
} as const;

function changeTo(status: AccountStatus): RowAction<AccountRow>["run"] {
  return async ({ id, orgName }, { t, open, reload }) => {
    const { noteDialog } = await import("../../../ui/note-dialog");
    const { title, submit, label, hint, done } = steps[status];
    const saved = await open<AccountRow>((overlay) =>
      noteDialog({
        overlay,
        t,
        title: t(title, { org: orgName }),
        submit: t(submit),
        draft: `${title} ${id}`,
        label,
        hint,
        save: (note) => api.put<AccountRow>("/finance/account/status", { id, status, note }),
      }),
    );
    if (saved) await reload(done);
  };
}
