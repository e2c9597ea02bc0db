/** Conversions of a setting's value between the wire, a text and an input. */
import type { SettingRow, SettingValue } from "../../../lib/api-types";
import { integer } from "../../../lib/canonical";
import { count, EMPTY, lengthOf, minute, money, parseMoney, percent, shortMoney } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";

/** What a setting's input holds: a text, or whether a box is ticked. */
export type SettingInput = string | boolean;

/** A value as people read it. */
export function valueText({ kind, unit, choices }: SettingRow, value: SettingValue | null, t: Translate): string {
  if (value === null || value === "") return EMPTY;
  if (Array.isArray(value))
    return value.map((one) => choices.find((choice) => choice.value === one)?.label ?? one).join(t("ui.comma")) || EMPTY;
  if (typeof value === "boolean") return t(value ? "setting.on" : "setting.off");
  if (kind === "choice") return choices.find((choice) => choice.value === value)?.label ?? String(value);
  if (typeof value !== "number") return value;
  if (unit === "cents") return `${money(value)} ${t("ui.yuan")}`;
  if (unit === "basis_points") return percent(value);
  return unit ? `${count(value)} ${t(`setting.unit.${unit}`)}` : count(value);
}

/** The value of a setting as its row shows it; for a secret only whether and since when it is set. */
export function shownValue(row: SettingRow, t: Translate): string {
  if (row.kind !== "secret") return valueText(row, row.value, t);
  return row.isSet ? t("setting.secretSet", { time: minute(row.updatedAt) }) : t("setting.secretNone");
}

/** What a setting's input holds for a value. */
export function inputOf({ kind, unit, choices }: SettingRow, value: SettingValue | null): SettingInput {
  if (kind === "bool") return value === true;
  if (value === null) return "";
  // Roles that no longer exist are left out.
  if (kind === "roles" && Array.isArray(value))
    return choices.flatMap((choice) => (value.includes(choice.value) ? [choice.value] : [])).join("\n");
  if (Array.isArray(value)) return value.join("\n");
  if (unit === "cents" || unit === "basis_points") return shortMoney(value as number);
  return String(value);
}

/** The value of an input, or its error. The server checks it again; this check saves a call. */
export function parseInput(row: SettingRow, input: SettingInput, t: Translate): { value: SettingValue } | { wrong: string } {
  if (typeof input === "boolean") return { value: input };
  const text = input.trim();
  if (row.kind === "int") return parseNumber(row, text, t);
  const longest = row.longest ?? Infinity;
  if (row.kind === "list" || row.kind === "roles") {
    const lines = [
      ...new Set(
        text
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      ),
    ];
    const long = lines.find((line) => lengthOf(line) > longest);
    if (long !== undefined) return { wrong: t("ui.rule.lineTooLong", { max: longest, line: `${long.slice(0, 20)}…` }) };
    const most = row.entries ?? Infinity;
    return lines.length > most ? { wrong: t("ui.rule.tooMany", { max: most }) } : { value: lines };
  }
  if (lengthOf(text) > longest) return { wrong: t("ui.rule.tooLong", { max: longest, length: lengthOf(text) }) };
  if (row.kind === "address" && text !== "" && !/^https:\/\/[^\s/]+/i.test(text)) return { wrong: t("setting.httpsOnly") };
  return { value: text };
}

function parseNumber({ unit, least, most }: SettingRow, text: string, t: Translate): { value: number } | { wrong: string } {
  const isHundredth = unit === "cents" || unit === "basis_points";
  const number = isHundredth ? parseMoney(text) : integer(text);
  if (number === null) return { wrong: t("ui.rule.number") };
  const [min, max] = [least ?? -Infinity, most ?? Infinity];
  const show = (bound: number) => (isHundredth ? bound / 100 : bound);
  return number < min || number > max ? { wrong: t("ui.rule.range", { min: show(min), max: show(max) }) } : { value: number };
}

/** Whether two values are the same. */
export function same(a: SettingValue | null, b: SettingValue | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
