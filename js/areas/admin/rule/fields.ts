/** The fields and filters of compliance rules. */
import type { RuleRow } from "../../../lib/api-types";
import { ruleKindCodes } from "../../../lib/codes";
import type { Locale } from "../../../lib/types";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

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
