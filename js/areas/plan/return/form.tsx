/** The forms of a return: why a lead is given back, and what is decided on it. A lazy chunk. */
import * as z from "zod/mini";

import type { DictOption, PushRow, ReturnRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { defaultOf } from "../../../lib/dictionary";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, dictionaryLimits, leadReturnLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Open, Overlay } from "../../../ui/overlay";
import { needsNote } from "./reason";

interface Asking {
  t: Translate;
  open: Open;
  row: PushRow;
}

/** Asks why a lead is given back; returns the requested return. */
export async function askDialog({ t, open, row: { id, no, priceCents } }: Asking): Promise<ReturnRow | undefined> {
  // The server refuses a return that is too late, or one too many, before the form is filled in.
  await api.get(`/plan/return/ask/${id}`);
  const reasons = await api.get<DictOption[]>("/dict/options", { type: "lead_return_reason" });
  const form = askForm(t, reasons);
  return open<ReturnRow>((overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("return.askTitle", { no, price: money(priceCents) })}
      draft={`return of ${id}`}
      submit={t("return.ask")}
      form={form}
      record={{ reasonCode: defaultOf(reasons), note: "", proofFileIds: [] }}
      save={(values) => api.post<ReturnRow>("/plan/return", { ...values, pushId: id })}
    />
  ));
}

export function askForm(t: Translate, reasons: readonly DictOption[]) {
  const rule = rules(t);
  const schema = z
    .object({ reasonCode: rule.text(dictionaryLimits.chosenValue), note: rule.note(leadReturnLimits.note), proofFileIds: rule.ids() })
    .check(z.refine(({ reasonCode, note }) => !needsNote(reasonCode) || note !== "", { path: ["note"], error: t("ui.rule.required") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "reasonCode", label: "return.reason", kind: "select", required: true, empty: "return.choose", choices: reasons, wide: true },
      { name: "note", label: "return.note", kind: "area", wide: true, hint: "return.noteHint" },
      {
        name: "proofFileIds",
        label: "return.proofs",
        kind: "files",
        bizType: "return_proof",
        max: leadReturnLimits.mostProofs,
        stored: [],
        wide: true,
        hint: "return.proofsHint",
      },
    ],
  };
  return form;
}

interface AuditDialog {
  overlay: Overlay<ReturnRow>;
  t: Translate;
  row: ReturnRow;
  /** The button that was pressed. */
  decision: "approve" | "refuse";
}

/** The dialog that decides on a return; it closes with it as it was decided. */
export function auditDialog({ overlay, t, row, decision }: AuditDialog) {
  const { id, version, pushNo, refundCents, reasonName, reasonCode, note } = row;
  const approve = decision === "approve";
  const rule = rules(t);
  const schema = z.object({
    chargeChannel: rule.flag(),
    replace: rule.flag(),
    note: approve ? rule.note(decisionLimits.reason) : rule.text(decisionLimits.reason),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "chargeChannel",
        label: "return.chargeChannel",
        kind: "flag",
        hint: "return.chargeHint",
        when: () => approve,
      },
      {
        name: "replace",
        label: "return.replace",
        kind: "flag",
        hint: "return.replaceHint",
        when: () => approve,
      },
      { name: "note", label: "return.reviewNote", kind: "area", required: !approve, wide: true, hint: "return.reviewHint" },
    ],
  };
  const why = [reasonName ?? reasonCode, note].filter(Boolean).join(t("ui.comma"));
  return (
    <FormDialog
      overlay={overlay}
      title={t("return.auditTitle", { no: pushNo, why })}
      draft={`return.${decision} ${id} ${version}`}
      note={t(`return.decision.${decision}`, { refund: money(refundCents) })}
      submit={t(`return.${decision}`)}
      form={form}
      record={{ chargeChannel: false, replace: false, note: "" }}
      save={async (values) => {
        try {
          return await api.put<ReturnRow>("/plan/return/audit", {
            id,
            version,
            approve,
            chargeChannel: approve && values.chargeChannel,
            replace: approve && values.replace,
            note: values.note,
          });
        } catch (error) {
          // The decision is about the return as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
