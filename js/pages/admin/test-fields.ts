/** The fields of compliance checks and of their rules, and the codes that both choose from. */
import type { CheckResult, CheckRow, RuleRow } from "../../lib/api-types";
import { ruleKindCodes, targetTypeCodes } from "../../lib/codes";
import type { Locale } from "../../lib/types";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";
import type { TagColors } from "../../ui/tag";

export const resultColors: TagColors = { pass: "green", warn: "orange", fail: "red", unchecked: "gray" };
const results: readonly CheckResult[] = ["pass", "warn", "fail"];

/** What did not pass, in one language. */
export function foundIn({ items }: CheckRow, locale: Locale): string[] {
  return items.filter(({ result }) => result === "fail" || result === "warn").map((item) => (locale === "zh-CN" ? item.titleZh : item.titleEn));
}

export const checkFields = (locale: Locale): readonly Field<CheckRow>[] => [
  { key: "no", title: "compliance.no", kind: "code" },
  { key: "targetType", title: "compliance.targetType", kind: "enum", labels: "TargetType" },
  { key: "targetName", title: "compliance.targetName" },
  { key: "result", title: "compliance.result", kind: "enum", labels: "CheckResult", colors: resultColors },
  { key: "items", title: "compliance.found", show: (row, t) => foundIn(row, locale).join(t("ui.comma")) || "-" },
  { key: "validUntil", title: "compliance.validUntil", kind: "time" },
  { key: "checkedBy", title: "compliance.checkedBy" },
  { key: "checkedAt", title: "compliance.checkedAt", kind: "time", sort: true },
];

export const checkFilters: readonly Filter[] = [
  { name: "keyword", label: "compliance.keyword", kind: "text", placeholder: "compliance.keywordHint" },
  { name: "targetType", label: "compliance.targetType", kind: "select", options: { codes: targetTypeCodes, labels: "TargetType" } },
  { name: "result", label: "compliance.result", kind: "select", options: { codes: results, labels: "CheckResult" } },
  { name: "targetId", label: "compliance.targetId", kind: "text" },
  { name: "checked", label: "compliance.checkedAt", kind: "days" },
];

export const ruleFields = (locale: Locale): readonly Field<RuleRow>[] => [
  { key: locale === "zh-CN" ? "titleZh" : "titleEn", title: "compliance.rule" },
  { key: "code", title: "compliance.code", kind: "code", sort: true },
  { key: "targetTypes", title: "compliance.targetType", kind: "enums", labels: "TargetType" },
  { key: "kind", title: "compliance.kind", kind: "enum", labels: "RuleKind" },
  { key: "severity", title: "compliance.severity", kind: "enum", labels: "Severity", colors: { fail: "red", warn: "orange" } },
  { key: "status", title: "compliance.status", kind: "enum", labels: "RuleStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "sort", title: "compliance.sort", kind: "count", sort: true },
  { key: "builtin", title: "compliance.builtin", kind: "flag" },
];

export const ruleFilters: readonly Filter[] = [
  { name: "keyword", label: "compliance.keyword", kind: "text", placeholder: "compliance.ruleHint" },
  { name: "kind", label: "compliance.kind", kind: "select", options: { codes: ruleKindCodes, labels: "RuleKind" } },
  { name: "status", label: "compliance.status", kind: "select", options: { codes: ["enabled", "disabled"], labels: "RuleStatus" } },
];
