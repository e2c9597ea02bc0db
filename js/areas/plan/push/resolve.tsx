/** The dialogs by which a person says that an organisation has a lead, or that it has not. A lazy chunk. */
import * as z from "zod/mini";

import type { PushRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, pushLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

interface ResolveDialog {
  overlay: Overlay<PushRow>;
  t: Translate;
  row: PushRow;
  /** The button that was pressed. */
  decision: "taken" | "not_taken";
}

/** The dialog; it closes with the lead as it is then. */
export function resolveDialog({ overlay, t, row: { id, no, status, orgName, priceCents }, decision }: ResolveDialog) {
  const rule = rules(t);
  const schema = z.object({
    upstreamNo: rule.optional(pushLimits.upstreamNo),
    note: rule.text(decisionLimits.reason),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "upstreamNo", label: "push.upstreamNo", kind: "text", wide: true, when: () => decision === "taken" },
      { name: "note", label: "push.note", kind: "area", required: true, wide: true, hint: "push.noteHint" },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t(`push.resolveTitle.${decision}`, { no, org: orgName })}
      draft={`push.resolve ${decision} ${id} ${status}`}
      note={t(`push.decision.${decision}`, { price: money(priceCents) })}
      submit={t(decision === "taken" ? "push.taken" : "push.notTaken")}
      form={form}
      record={{ upstreamNo: null, note: "" }}
      save={async ({ upstreamNo, note }) => {
        try {
          return await api.put<PushRow>("/plan/push/resolve", {
            id,
            status,
            decision,
            note,
            upstreamNo: decision === "taken" ? upstreamNo : null,
          });
        } catch (error) {
          // Another person has decided meanwhile: there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
