/** The form that edits the answers of an applicant: of the applicant's record, and of a push that is sent again. A lazy chunk. */
import * as z from "zod/mini";

import type { SaidForm, UserSaid } from "../lib/api-types";
import { applicantParts, fieldsOfPart } from "../lib/applicant";
import type { Translate } from "../lib/i18n";
import { userLimits } from "../lib/limits";
import { applicantInputs } from "./applicant-inputs";
import type { Form, FormField, FormSection } from "./form";
import { rules } from "./form-rules";

const LONGEST = 32;

/** What the form sends, besides the applicant's answers under the names of their fields. */
export interface Said {
  name: string | null;
  province: string;
}

/** The form; a name that is not filled in stays as it is. */
export function saidForm(t: Translate, nameMask: string): { form: Form<Said>; sections: readonly FormSection[] } {
  const rule = rules(t);
  const parts = applicantParts.map(({ title }) => ({ title, ...applicantInputs(t, fieldsOfPart(title)) }));
  const schema = z.object({
    name: rule.optional(userLimits.name),
    province: rule.note(LONGEST),
    ...(Object.assign({}, ...parts.map(({ schemas }) => schemas)) as (typeof parts)[number]["schemas"]),
  });
  const nameFields: readonly FormField[] = [
    { name: "name", label: "user.name", kind: "text", placeholder: t("user.nameStays", { name: nameMask }) },
  ];
  const sections = parts.map(({ title, inputs }, index): FormSection => ({
    title,
    fields: index === 0 ? [...nameFields, ...inputs] : inputs,
  }));
  return { form: { schema, fields: sections.flatMap(({ fields }) => fields) }, sections };
}

/** The inputs for the stored answers. */
export function saidInputs({ province, applicant }: Pick<UserSaid, "province" | "applicant">) {
  const texts = Object.entries(applicant).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]);
  return { name: null, province, ...(Object.fromEntries(texts) as object) };
}

/** The body that it sends. */
export function saidSent({ name, province, ...applicant }: Said): SaidForm {
  return { ...(name !== null && { name }), province, applicant };
}
