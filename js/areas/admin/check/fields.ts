/** The fields and filters of compliance checks. */
import type { CheckResult, CheckRow } from "../../../lib/api-types";
import { targetTypeCodes } from "../../../lib/codes";
import { EMPTY, time } from "../../../lib/format";
import type { Locale } from "../../../lib/types";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { resultColors } from "../../../ui/result-colors";

const results: readonly CheckResult[] = ["pass", "warn", "fail"];

/** What did not pass, in one language. */
export function foundIn({ items }: CheckRow, locale: Locale): string[] {
  return items
    .filter(({ result }) => result === "fail" || result === "warn")
    .map((item) => (locale === "zh-CN" ? item.titleZh : item.titleEn));
}

export const checkFields = (locale: Locale): readonly Field<CheckRow>[] => [
  { key: "no", title: "compliance.no", kind: "code" },
  { key: "targetType", title: "compliance.targetType", kind: "enum", labels: "TargetType" },
  { key: "targetName", title: "compliance.targetName" },
  { key: "result", title: "compliance.result", kind: "enum", labels: "CheckResult", colors: resultColors },
  { key: "items", title: "compliance.found", show: (row, t) => foundIn(row, locale).join(t("ui.comma")) || EMPTY },
  {
    key: "validUntil",
    title: "compliance.validUntil",
    kind: "time",
    // A failed check is valid for nothing.
    show: ({ result, validUntil }) => (result === "fail" ? EMPTY : time(validUntil)),
  },
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
