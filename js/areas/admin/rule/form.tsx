/** The form of a compliance rule. A lazy chunk. */
import * as z from "zod/mini";

import type { RuleRow } from "../../../lib/api-types";
import { ruleKindCodes, ruleStatusCodes, severityCodes, targetTypeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { complianceRuleLimits } from "../../../lib/limits";
import type { Form, Inputs } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const CODE = /^[a-z0-9_]{2,}$/;
const WITH_FIELDS = ["required", "not_expired", "public_https", "versioned"];
const WITH_WORDS = ["forbidden_words", "named_recipients"];

interface RuleDialog {
  overlay: Overlay<RuleRow>;
  t: Translate;
  /** The rule to be edited; a new one without it. */
  row: RuleRow | undefined;
}

function ruleForm(t: Translate, isNew: boolean) {
  const rule = rules(t);
  const whole = z.transform((number: number | null) => number ?? 0);
  const schema = z.object({
    code: rule.text(complianceRuleLimits.code, CODE, t("compliance.codeWrong")),
    kind: rule.oneOf(ruleKindCodes),
    titleZh: rule.text(complianceRuleLimits.title),
    titleEn: rule.text(complianceRuleLimits.title),
    targets: z.pipe(
      z.array(z.string()).check(z.minLength(1, t("ui.rule.choose"))),
      z.transform((codes: string[]) => targetTypeCodes.filter((type) => codes.includes(type))),
    ),
    fields: rule.lines(20, /^\w{1,40}$/, () => t("ui.rule.format")),
    words: rule.lines(complianceRuleLimits.mostWords, new RegExp(`^.{1,${complianceRuleLimits.word}}$`, "u"), (line) =>
      t("ui.rule.lineTooLong", { max: complianceRuleLimits.word, line: `${line.slice(0, 20)}…` }),
    ),
    days: z.pipe(rule.optionalInteger(0, complianceRuleLimits.mostDays), whole),
    severity: rule.oneOf(severityCodes),
    status: rule.oneOf(ruleStatusCodes),
    sort: z.pipe(rule.optionalInteger(0, complianceRuleLimits.last), whole),
  });
  const kindIn =
    (kinds: readonly string[]) =>
    ({ kind }: Inputs) =>
      kinds.includes(String(kind));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "titleZh", label: "compliance.titleZh", kind: "text", required: true },
      { name: "titleEn", label: "compliance.titleEn", kind: "text", required: true },
      { name: "code", label: "compliance.code", kind: "text", required: true, fixed: !isNew },
      {
        name: "kind",
        label: "compliance.kind",
        kind: "select",
        required: true,
        choices: ruleKindCodes.map((value) => ({ value, label: t(`RuleKind.${value}`) })),
        // The kind of a rule cannot change: its parameters would have another meaning.
        when: () => isNew,
      },
      {
        name: "targets",
        label: "compliance.targetType",
        kind: "boxes",
        required: true,
        wide: true,
        choices: targetTypeCodes.map((value) => ({ value, label: t(`TargetType.${value}`) })),
      },
      { name: "fields", label: "compliance.fields", kind: "lines", wide: true, hint: "compliance.fieldsHint", when: kindIn(WITH_FIELDS) },
      { name: "words", label: "compliance.words", kind: "lines", wide: true, hint: "compliance.wordsHint", when: kindIn(WITH_WORDS) },
      {
        name: "days",
        label: "compliance.days",
        kind: "integer",
        unit: "setting.unit.days",
        hint: "compliance.daysHint",
        when: kindIn(["not_expired"]),
      },
      {
        name: "severity",
        label: "compliance.severity",
        kind: "select",
        choices: severityCodes.map((value) => ({ value, label: t(`Severity.${value}`) })),
      },
      {
        name: "status",
        label: "compliance.status",
        kind: "select",
        choices: ruleStatusCodes.map((value) => ({ value, label: t(`RuleStatus.${value}`) })),
      },
      { name: "sort", label: "compliance.sort", kind: "integer" },
    ],
  };
  return form;
}

const blank = {
  code: "",
  kind: "forbidden_words",
  titleZh: "",
  titleEn: "",
  targetTypes: ["script"],
  params: { fields: [], words: [], days: 0 },
  severity: "fail",
  status: "enabled",
  sort: 200,
} as const;

/** The dialog of a rule; it closes with the rule as it was saved. */
export function ruleDialog({ overlay, t, row }: RuleDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "compliance.editRule" : "compliance.createRule")}
      draft="compliance.rule"
      form={ruleForm(t, !row)}
      record={row ?? blank}
      valuesOf={({ targetTypes, params, ...rest }) => ({ ...rest, ...params, targets: targetTypes })}
      save={({ code, kind, targets, fields, words, days, ...values }, record) => {
        const rule = { ...values, targetTypes: targets, params: { fields, words, days } };
        return "id" in record
          ? api.put<RuleRow>("/compliance/rule", { ...rule, id: record.id, version: record.version })
          : api.post<RuleRow>("/compliance/rule", { ...rule, code, kind });
      }}
    />
  );
}
