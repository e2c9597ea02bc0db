/** The forms of a return: why a lead is given back, and what is decided on it. A lazy chunk. */
import * as z from "zod/mini";

import type { DictOption, PushRow, ReturnRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { defaultOf } from "../../../lib/dictionary";
import { money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, dictionaryLimits, leadReturnLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form, FormField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Open, Overlay } from "../../../ui/overlay";

const OTHER = "other";

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
    .check(z.refine(({ reasonCode, note }) => reasonCode !== OTHER || note !== "", { path: ["note"], error: t("ui.rule.required") }));
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
  /** The answer that a button has named; absent: the form has a field for it. */
  decision?: Decision;
}

const decisions = ["approve", "refuse"] as const;
type Decision = (typeof decisions)[number];
const answers = ["no", "yes"] as const;

/** The dialog that decides on a return; it closes with it as it was decided. */
export function auditDialog({ overlay, t, row, decision: named }: AuditDialog) {
  const { id, version, pushNo, refundCents, reasonName, reasonCode, note } = row;
  const rule = rules(t);
  const schema = z
    .object({
      decision: named ? z._default(rule.oneOf(decisions), named) : rule.oneOf(decisions),
      chargeChannel: rule.oneOf(answers),
      replace: rule.oneOf(answers),
      note: rule.note(decisionLimits.reason),
    })
    .check(z.refine((values) => values.decision === "approve" || values.note !== "", { path: ["note"], error: t("ui.rule.required") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      ...(named ? [] : [decisionField(t, refundCents)]),
      {
        name: "chargeChannel",
        label: "return.chargeChannel",
        kind: "select",
        required: true,
        hint: "return.chargeHint",
        choices: answers.map((value) => ({ value, label: t(`ui.${value}`) })),
        when: ({ decision }) => (named ?? decision) === "approve",
      },
      {
        name: "replace",
        label: "return.replace",
        kind: "select",
        required: true,
        hint: "return.replaceHint",
        choices: answers.map((value) => ({ value, label: t(`ui.${value}`) })),
        when: ({ decision }) => (named ?? decision) === "approve",
      },
      { name: "note", label: "return.reviewNote", kind: "area", wide: true, hint: "return.reviewHint" },
    ],
  };
  const why = [reasonName ?? reasonCode, note].filter(Boolean).join(t("ui.comma"));
  return (
    <FormDialog
      overlay={overlay}
      title={t("return.auditTitle", { no: pushNo, why })}
      draft={`return.audit ${id} ${version}`}
      note={named && t(`return.decision.${named}`, { refund: money(refundCents) })}
      submit={t(named ? `return.${named}` : "return.decide")}
      form={form}
      record={{ decision: null, chargeChannel: "no", replace: "no", note: "" }}
      save={async (values) => {
        const approve = values.decision === "approve";
        try {
          return await api.put<ReturnRow>("/plan/return/audit", {
            id,
            version,
            approve,
            chargeChannel: approve && values.chargeChannel === "yes",
            replace: approve && values.replace === "yes",
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

function decisionField(t: Translate, refundCents: number): FormField {
  return {
    // Nothing is chosen beforehand: a key pressed too soon would give money back.
    name: "decision",
    label: "return.decision",
    kind: "select",
    required: true,
    empty: "return.choose",
    choices: decisions.map((value) => ({ value, label: t(`return.decision.${value}`, { refund: money(refundCents) }) })),
  };
}
