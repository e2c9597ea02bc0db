/** The form by which a person says whether an organisation has a lead. A lazy chunk. */
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

const decisions = ["taken", "not_taken"] as const;

interface ResolveDialog {
  overlay: Overlay<PushRow>;
  t: Translate;
  row: PushRow;
}

/** The dialog; it closes with the lead as it is then. */
export function resolveDialog({ overlay, t, row: { id, no, status, orgName, priceCents } }: ResolveDialog) {
  const rule = rules(t);
  const schema = z.object({
    decision: rule.oneOf(decisions),
    upstreamNo: rule.optional(pushLimits.upstreamNo),
    note: rule.text(decisionLimits.reason),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        // Nothing is chosen beforehand: a key pressed too soon would cost money.
        name: "decision",
        label: "push.decision",
        kind: "select",
        required: true,
        empty: "return.choose",
        wide: true,
        choices: decisions.map((value) => ({ value, label: t(`push.decision.${value}`, { price: money(priceCents) }) })),
      },
      { name: "upstreamNo", label: "push.upstreamNo", kind: "text", wide: true, when: ({ decision }) => decision === "taken" },
      { name: "note", label: "push.note", kind: "area", required: true, wide: true, hint: "push.noteHint" },
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("push.resolveTitle", { no, org: orgName })}
      draft={`push.resolve ${id} ${status}`}
      submit={t("push.resolve")}
      form={form}
      record={{ decision: null, upstreamNo: null, note: "" }}
      save={async ({ decision, upstreamNo, note }) => {
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
