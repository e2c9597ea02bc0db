/** Inputs for the answers of an applicant, as js/terms.json describes them: for a test lead, and for an entry by hand. */
import * as z from "zod/mini";

import { localeOf, type Translate } from "../lib/i18n";
import { type ApplicantField, sentence } from "../lib/terms-table";
import type { FormField } from "./form";
import { rules } from "./form-rules";
import { cityField } from "./place-select";

/** The inputs of some fields, and their schemas by name; an empty answer is null. */
export function applicantInputs(t: Translate, fields: readonly ApplicantField[]) {
  const locale = localeOf(t);
  const rule = rules(t);
  const orNull = <Value>(codes: readonly string[], meant: (code: string) => Value) =>
    z.pipe(
      rule.oneOf<string>(["", ...codes]),
      z.transform((code: string) => (code === "" ? null : meant(code))),
    );
  const schemaOf = ({ kind, money, min = 0, max = 0, choices = [] }: ApplicantField) => {
    if (kind === "number") return money ? rule.optionalMoney(min, max) : rule.optionalInteger(min, max);
    if (kind === "city") return rule.optional(32);
    if (kind === "flag") return orNull(["true", "false"], (code) => code === "true");
    return orNull(
      choices.filter(({ off }) => !off).map(({ code }) => code),
      (code) => code,
    );
  };
  const inputOf = ({ name, kind, money, choices = [], unit, title, yes, no, past }: ApplicantField): FormField => {
    const frame = { name, label: "terms.field" as const, text: sentence(title[locale]), ...(past && { hint: "terms.pastHint" as const }) };
    if (kind === "number" && money) return { ...frame, kind: "money" };
    if (kind === "number") return { ...frame, kind: "integer", ...(unit && { unitText: unit[locale] }) };
    if (kind === "city") return cityField(t, frame);
    const yesNo = [
      { value: "true", label: sentence(yes?.[locale] ?? t("ui.yes")) },
      { value: "false", label: sentence(no?.[locale] ?? t("ui.no")) },
    ];
    const codes = choices.filter(({ off }) => !off).map(({ code, label }) => ({ value: code, label: sentence(label[locale]) }));
    return { ...frame, kind: "select", empty: "terms.unsaid", choices: kind === "flag" ? yesNo : codes };
  };
  return { inputs: fields.map(inputOf), schemas: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])) };
}
