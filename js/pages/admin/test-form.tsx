/** The form of a compliance check: a record of the product, or a text that is given. A lazy chunk. */
import * as z from "zod/mini";

import type { CheckRow, SelectOption, TargetType } from "../../lib/api-types";
import { api } from "../../lib/api";
import type { Translate } from "../../lib/i18n";
import type { Form, Inputs } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { rules } from "../../ui/form-rules";
import type { Overlay } from "../../ui/overlay";
import { targetTypes } from "./test-fields";

const LONGEST_TEXT = 20_000;

interface CheckDialog {
  overlay: Overlay<CheckRow>;
  t: Translate;
  channels: readonly SelectOption[];
  orgs: readonly SelectOption[];
  /** What is chosen in the beginning. */
  asked: { type: TargetType; id: string };
}

const isText = (type: unknown) => type === "script" || type === "consent";

function checkForm({ t, channels, orgs }: CheckDialog) {
  const rule = rules(t);
  const needed = t("ui.rule.required");
  const schema = z
    .object({
      targetType: rule.oneOf(targetTypes),
      channelId: rule.optionalId(),
      orgId: rule.optionalId(),
      name: rule.note(64),
      text: rule.note(LONGEST_TEXT),
      version: rule.note(32),
      recipients: rule.lines(200, /^.{1,64}$/, () => t("ui.rule.tooLong", { max: 64 })),
    })
    .check(
      z.refine(({ targetType, channelId }) => targetType !== "channel" || channelId !== null, { path: ["channelId"], error: needed }),
      z.refine(({ targetType, orgId }) => targetType !== "organisation" || orgId !== null, { path: ["orgId"], error: needed }),
      z.refine(({ targetType, name }) => !isText(targetType) || name !== "", { path: ["name"], error: needed }),
      z.refine(({ targetType, text }) => !isText(targetType) || text !== "", { path: ["text"], error: needed }),
    );
  const ofType = (...types: TargetType[]) => ({ targetType }: Inputs) => types.some((type) => type === targetType);
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "targetType", label: "compliance.targetType", kind: "select", required: true,
        choices: targetTypes.map((value) => ({ value, label: t(`compliance.target.${value}`) })),
      },
      { name: "channelId", label: "compliance.channel", kind: "select", required: true, empty: "compliance.choose", choices: channels, when: ofType("channel") },
      { name: "orgId", label: "compliance.org", kind: "select", required: true, empty: "compliance.choose", choices: orgs, when: ofType("organisation") },
      { name: "name", label: "compliance.targetName", kind: "text", required: true, maxLength: 64, when: ofType("script", "consent") },
      { name: "version", label: "compliance.version", kind: "text", maxLength: 32, placeholder: "v1.0", when: ofType("consent") },
      { name: "recipients", label: "compliance.recipients", kind: "lines", wide: true, hint: "compliance.recipientsHint", when: ofType("consent") },
      { name: "text", label: "compliance.text", kind: "area", maxLength: LONGEST_TEXT, wide: true, hint: "compliance.textHint", when: ofType("channel", "script", "consent") },
    ],
  };
  return form;
}

/** The dialog that makes a check; it closes with what came out. */
export function checkDialog(dialog: CheckDialog) {
  const { overlay, t, channels, orgs, asked } = dialog;
  const chosen = (type: TargetType, among: readonly SelectOption[]) =>
    asked.type === type && among.some(({ value }) => String(value) === asked.id) ? Number(asked.id) : null;
  const blank = {
    targetType: asked.type, channelId: chosen("channel", channels), orgId: chosen("organisation", orgs),
    name: "", text: "", version: "", recipients: [],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("compliance.run")}
      form={checkForm(dialog)}
      record={blank}
      save={({ targetType, channelId, orgId, name, text, version, recipients }) => {
        const records: Partial<Record<TargetType, number | null>> = { channel: channelId, organisation: orgId };
        const given = isText(targetType) ? { name } : { targetId: records[targetType] };
        const agreement = targetType === "consent" ? { version, recipients } : {};
        return api.post<CheckRow>("/compliance/check", { targetType, ...given, ...agreement, ...(targetType !== "organisation" && { text }) });
      }}
    />
  );
}
