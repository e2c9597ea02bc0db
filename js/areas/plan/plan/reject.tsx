/** Why a plan is rejected. A lazy chunk. */
import * as z from "zod/mini";

import type { PlanNow, PlanRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

interface RejectDialog {
  overlay: Overlay<PlanRow>;
  t: Translate;
  row: PlanNow;
}

/** The dialog that asks for the reason; it closes with the rejected plan. */
export function rejectDialog({ overlay, t, row }: RejectDialog) {
  const { id, version, name, change } = row;
  return (
    <FormDialog
      overlay={overlay}
      title={t(change ? "plan.rejectChangeTitle" : "plan.rejectTitle", { name })}
      draft={`plan.reject ${id} ${version}`}
      submit={t("plan.reject")}
      form={{
        schema: z.object({ note: rules(t).text(decisionLimits.reason) }),
        fields: [{ name: "note", label: "plan.rejectNote", kind: "area", required: true, wide: true }],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          return await api.put<PlanRow>("/plan/audit", { id, version, approve: false, note });
        } catch (error) {
          // The decision is about the plan as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
