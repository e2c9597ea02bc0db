/** The form of a compliance check: a record of the product, or a text that is given. A lazy chunk. */
import * as z from "zod/mini";

import type { CheckRow, SelectOption, TargetType } from "../../../lib/api-types";
import { targetTypeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { complianceCheckLimits } from "../../../lib/limits";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

interface CheckDialog {
  overlay: Overlay<CheckRow>;
  t: Translate;
  /** The target that is chosen beforehand. */
  target: { type: TargetType; id: string };
}

/** The calls that list the records of a type; for the other types a text is typed. */
const records: Partial<Record<TargetType, string>> = {
  channel: "/channel/options",
  organisation: "/org/options",
  product: "/product/options",
  plan: "/plan/options",
};
const isText = (type: TargetType) => !(type in records);
const loadRecords = async (type: string) => {
  const path = records[type as TargetType];
  return path ? api.get<SelectOption[]>(path, undefined, { quiet: true }) : [];
};

function checkForm({ t }: CheckDialog) {
  const rule = rules(t);
  const needed = t("ui.rule.required");
  const schema = z
    .object({
      targetType: rule.oneOf(targetTypeCodes),
      targetId: rule.optionalId(),
      name: rule.note(complianceCheckLimits.name),
      text: rule.note(complianceCheckLimits.text),
      version: rule.note(complianceCheckLimits.version),
      recipients: rule.lines(complianceCheckLimits.mostRecipients, new RegExp(`^.{1,${complianceCheckLimits.recipient}}$`, "u"), (line) =>
        t("ui.rule.lineTooLong", { max: complianceCheckLimits.recipient, line: `${line.slice(0, 20)}…` }),
      ),
    })
    .check(
      z.refine(({ targetType, targetId }) => isText(targetType) || targetId !== null, { path: ["targetId"], error: needed }),
      z.refine(({ targetType, name }) => !isText(targetType) || name !== "", { path: ["name"], error: needed }),
      z.refine(({ targetType, text }) => !isText(targetType) || text !== "", { path: ["text"], error: needed }),
    );
  const ofType =
    (...types: TargetType[]) =>
    ({ targetType }: Inputs) =>
      types.some((type) => type === targetType);
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "targetType",
        label: "compliance.targetType",
        kind: "select",
        required: true,
        choices: targetTypeCodes.map((value) => ({ value, label: t(`TargetType.${value}`) })),
      },
      {
        name: "targetId",
        label: "compliance.record",
        kind: "dependent",
        on: "targetType",
        load: loadRecords,
        empty: "compliance.choose",
        required: true,
        when: ({ targetType }) => !isText(targetType as TargetType),
      },
      { name: "name", label: "compliance.targetName", kind: "text", required: true, when: ofType("script", "consent") },
      { name: "version", label: "compliance.version", kind: "text", placeholder: "v1.0", when: ofType("consent") },
      {
        name: "recipients",
        label: "compliance.recipients",
        kind: "lines",
        wide: true,
        hint: "compliance.recipientsHint",
        when: ofType("consent"),
      },
      {
        name: "text",
        label: "compliance.text",
        kind: "area",
        wide: true,
        hint: "compliance.textHint",
        when: ofType("channel", "script", "consent"),
      },
    ],
  };
  return form;
}

/** The dialog that makes a check; it closes with the result. */
export function checkDialog(dialog: CheckDialog) {
  const { overlay, t, target } = dialog;
  const blank = { targetType: target.type, targetId: target.id, name: "", text: "", version: "", recipients: [] };
  return (
    <FormDialog
      overlay={overlay}
      title={t("compliance.run")}
      draft="compliance.check"
      form={checkForm(dialog)}
      record={blank}
      save={({ targetType, targetId, name, text, version, recipients }) => {
        const given = isText(targetType) ? { name } : { targetId };
        const agreement = targetType === "consent" ? { version, recipients } : {};
        const read = isText(targetType) || targetType === "channel" ? { text } : {};
        return api.post<CheckRow>("/compliance/check", { targetType, ...given, ...agreement, ...read });
      }}
    />
  );
}
