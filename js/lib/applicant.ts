/** The answers of an applicant, as texts. */
import { count, money } from "./format";
import type { MessageKey } from "./i18n";
import { placeName } from "./places";
import { type ApplicantField, applicantField, sentence } from "./terms-table";
import type { Locale } from "./types";

/** The fields of an applicant, in the order in which staff ask for them; without the data that organisations report. */
export const applicantParts = [
  { title: "user.part.person", names: ["age", "sex", "city"] },
  { title: "user.part.loan", names: ["applyAmountCents", "applyTermMonths", "purpose"] },
  {
    title: "user.part.work",
    names: ["occupation", "education", "incomeCentsMonth", "payForm", "socialIns", "housingFund", "bizLicenseMonths"],
  },
  {
    title: "user.part.means",
    names: ["house", "car", "policy", "creditCard", "cardLimitCents", "zhima", "weilidaiCents", "baitiao", "huabei", "overdue"],
  },
] as const satisfies readonly { title: MessageKey; names: readonly string[] }[];

/** A part of the fields. */
export type ApplicantPart = (typeof applicantParts)[number]["title"];

/** The fields of one part. */
export function fieldsOfPart(title: ApplicantPart): ApplicantField[] {
  return applicantParts.flatMap((part) => (part.title === title ? part.names.flatMap((name) => applicantField(name) ?? []) : []));
}

/** The answers as names and values, in that order; fields that no longer exist come last, unchanged. */
export function saidOf(said: Readonly<Record<string, string | number | boolean>>, locale: Locale): [name: string, value: string][] {
  const known: string[] = applicantParts.flatMap(({ names }) => names);
  const order = [...known, ...Object.keys(said).filter((name) => !known.includes(name))];
  return order.flatMap((name): [string, string][] => {
    const value = said[name];
    if (value === undefined) return [];
    const field = applicantField(name);
    return field ? [[sentence(field.title[locale]), valueText(field, value, locale)]] : [[name, String(value)]];
  });
}

/** Some of the answers in a few words each: "月收入 8,000 元", "有信用卡". */
export function inShort(said: Readonly<Record<string, string | number | boolean>>, names: readonly string[], locale: Locale): string[] {
  return names.flatMap((name) => {
    const [field, value] = [applicantField(name), said[name]];
    if (!field || value === undefined) return [];
    const text = valueText(field, value, locale);
    return [typeof value === "boolean" ? text : `${sentence(field.title[locale])} ${text}`];
  });
}

/** A value of a field as people read it: "50,000 元", "按揭", "有信用卡". */
function valueText(field: ApplicantField, value: string | number | boolean, locale: Locale): string {
  if (typeof value === "boolean") return sentence((value ? field.yes : field.no)?.[locale] ?? String(value));
  if (typeof value === "number") return [numberText(field, value), field.unit?.[locale]].filter(Boolean).join(" ");
  if (field.kind === "city") return placeName(value, locale);
  return sentence(field.choices?.find(({ code }) => code === value)?.label[locale] ?? value);
}

/** A number of a field as people write it; whole yuan without decimals. */
export function numberText(field: ApplicantField, value: unknown): string {
  if (typeof value !== "number") return "…";
  return field.money ? money(value).replace(/\.00$/, "") : count(value);
}
