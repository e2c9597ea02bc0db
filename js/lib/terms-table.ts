/** `js/terms.json` as the browser reads it: words of terms, and the fields of an applicant. The server reads the same file. */
import table from "../terms.json";
import type { FieldChoice, RuleOp } from "./api-types";
import type { Locale } from "./types";

type Text = Readonly<Record<Locale, string>>;

/** A field of an applicant, as crates/frame/src/terms/applicant.rs describes it. */
export interface ApplicantField {
  name: string;
  kind: "number" | "choice" | "city" | "flag";
  title: Text;
  unit?: Text;
  /** Fen on the wire, yuan for people. */
  money?: boolean;
  min?: number;
  max?: number;
  choices?: readonly FieldOption[];
  /** The dictionary in which operators edit the choices. */
  dictionary?: string;
  yes?: Text;
  no?: Text;
  /** The server computes it from the person's past; applicants do not send it. */
  past?: boolean;
}

/** A choice of a field. */
export interface FieldOption {
  code: string;
  label: Text;
  /** It is no longer offered; records that have it show its label. */
  off?: boolean;
}

/** Choices that operators edit, by field. */
export type FieldChoices = Readonly<Record<string, readonly FieldChoice[]>>;

export const applicantFields = table.fields as readonly ApplicantField[];

/** What rules describe: a person who applies, or a visitor whose past is unknown. */
export type RulesOf = "applicant" | "visitor";

/** The fields that rules may name. */
export function ruleFields(of: RulesOf): readonly ApplicantField[] {
  return of === "applicant" ? applicantFields : applicantFields.filter(({ past }) => !past);
}

/** Sets the choices that operators edit; a field that is not among them keeps those of the table. */
export function setChoices(choices: FieldChoices): void {
  for (const field of applicantFields) {
    const listed = field.dictionary === undefined ? undefined : choices[field.name];
    if (listed)
      field.choices = listed.map(({ code, labelZh, labelEn, off }) => ({ code, label: { "zh-CN": labelZh, "en-US": labelEn }, off }));
  }
}

/** The choices that a field offers: without those that are off, unless they are chosen already. */
export function offeredChoices({ choices = [] }: ApplicantField, chosen: readonly unknown[] = []): readonly FieldOption[] {
  return choices.filter(({ code, off }) => !off || chosen.includes(code));
}

/** The comparisons that make sense of a field, the likeliest first. */
export const opsOf: Readonly<Record<ApplicantField["kind"], readonly RuleOp[]>> = {
  number: ["between", "gte", "lte", "eq", "exists"],
  choice: ["in", "not_in", "eq", "exists"],
  city: ["in", "not_in", "eq", "exists"],
  flag: ["eq", "exists"],
};

/** The field of a name. */
export function applicantField(name: string): ApplicantField | undefined {
  return applicantFields.find((field) => field.name === name);
}

/** A word of the sentences, its `{name}` places filled. */
export function word(name: keyof typeof table.words, locale: Locale, places: Readonly<Record<string, string>> = {}): string {
  return filled(table.words[name][locale], places);
}

/** The name of a weekday, 1 for Monday. */
export function weekdayName(weekday: number, locale: Locale): string {
  return table.weekdays[weekday - 1]?.[locale] ?? String(weekday);
}

/** What a window of a cap is called: of every day, or of one weekday. */
export function windowName(window: keyof typeof table.windows, weekday: number | null, locale: Locale): string {
  return weekday === null ? table.windows[window][locale] : filled(table.windows.weekday[locale], { day: weekdayName(weekday, locale) });
}

/** A sentence begins with a capital, where its script has them. */
export function sentence(text: string): string {
  return text.replace(/^[a-z]/, (first) => first.toUpperCase());
}

function filled(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => places[name] ?? place);
}
