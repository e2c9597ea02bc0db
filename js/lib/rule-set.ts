/** A rule set: what it must be, and how it reads; the same as crates/frame/src/terms/rule_set says. */
import type { RuleCondition, RuleNode, RuleSet } from "./api-types";
import { numberText } from "./applicant";
import { ruleSetLimits } from "./limits";
import { isCity, placeName } from "./places";
import { type ApplicantField, applicantField, opsOf, type RulesOf, sentence, word } from "./terms-table";
import { picker, type Pick, type Wrong } from "./terms-wrong";
import type { Locale } from "./types";

const LONGEST_SHOWN = 20;

/** The nodes of a group. */
export function nodesOf(group: RuleSet): RuleNode[] {
  return "all" in group ? group.all : group.any;
}

/** Whether a node is a group. */
export function isGroup(node: RuleNode): node is RuleSet {
  return "all" in node || "any" in node;
}

/** Where a node is, below the place of its group. */
export function placeOf(place: string, index: number): string {
  return place === "" ? String(index + 1) : `${place}.${index + 1}`;
}

/** Everything that is wrong, in the order of the tree. The values may be anything: a person is still typing. */
export function wrongRules(rules: RuleSet, locale: Locale, of: RulesOf = "applicant"): Wrong[] {
  const pick = picker(locale);
  const wrong: Wrong[] = [];
  let [nodes, values] = [0, 0];
  const walk = (group: RuleSet, place: string, depth: number) => {
    nodes += 1;
    if (depth > ruleSetLimits.mostDepth) {
      wrong.push({ place, message: pick(`最多嵌套 ${ruleSetLimits.mostDepth} 层`, `At most ${ruleSetLimits.mostDepth} nested levels`) });
      return;
    }
    if (nodesOf(group).length === 0) wrong.push({ place, message: pick("至少要有一个条件", "At least one condition is required") });
    nodesOf(group).forEach((node, index) => {
      if (isGroup(node)) return walk(node, placeOf(place, index), depth + 1);
      nodes += 1;
      values += Array.isArray(node.value) ? node.value.length : 1;
      const message = wrongCondition(node, pick, of);
      if (message) wrong.push({ place: placeOf(place, index), message });
    });
  };
  walk(rules, "", 1);
  if (nodes > ruleSetLimits.mostNodes)
    wrong.unshift({
      place: "",
      message: pick(`最多 ${ruleSetLimits.mostNodes} 个条件和条件组`, `At most ${ruleSetLimits.mostNodes} conditions and groups`),
    });
  if (values > ruleSetLimits.mostValues)
    wrong.unshift({ place: "", message: pick(`最多 ${ruleSetLimits.mostValues} 个取值`, `At most ${ruleSetLimits.mostValues} values`) });
  return wrong;
}

/** What is wrong with a condition, if anything. */
export function wrongCondition({ field: name, op, value }: RuleCondition, pick: Pick, of: RulesOf = "applicant"): string | undefined {
  const field = applicantField(name);
  if (!field) return pick("没有这个字段", "This field does not exist");
  if (field.past && of === "visitor") {
    return pick(
      `${sentence(field.title["zh-CN"])}：尚未申请的访客没有这项信息`,
      `${sentence(field.title["en-US"])}: not known of a visitor who has not applied`,
    );
  }
  if (!opsOf[field.kind].includes(op)) return pick("这个字段不能这样比较", "This field cannot be compared like this");
  const choose = pick("请选择取值", "Choose values");
  if (op === "exists") return typeof value === "boolean" ? undefined : pick("请选择有或无", "Choose whether it is given");
  if (field.kind === "flag") return typeof value === "boolean" ? undefined : choose;
  if (field.kind === "number") {
    const numbers: unknown[] = op !== "between" ? [value] : Array.isArray(value) && value.length === 2 ? value : [null];
    if (!numbers.every((number) => Number.isSafeInteger(number))) return pick("请输入数字", "Enter a number");
    const [from = 0, to = from] = numbers as number[];
    if (from > to) return pick("起点不能大于终点", "The start cannot be greater than the end");
    return within(field, from, pick) ?? within(field, to, pick);
  }
  if (op === "eq") return typeof value === "string" ? wrongValue(field, value, pick) : choose;
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === "string")) return choose;
  const repeated = value.find((one, index) => value.indexOf(one as never) < index);
  if (repeated !== undefined) return pick(`“${shown(String(repeated))}”重复`, `Duplicate value: “${shown(String(repeated))}”`);
  return value.map((one) => wrongValue(field, one, pick)).find(Boolean);
}

function within(field: ApplicantField, number: number, pick: Pick): string | undefined {
  const { min = 0, max = 0 } = field;
  if (number >= min && number <= max) return undefined;
  const show = (value: number) => numberText(field, value);
  return pick(`应在 ${show(min)} 到 ${show(max)} 之间`, `Must be between ${show(min)} and ${show(max)}`);
}

function wrongValue(field: ApplicantField, text: string, pick: Pick): string | undefined {
  const known = field.kind === "city" ? isCity(text) : field.choices?.some(({ code }) => code === text);
  return known ? undefined : pick(`没有“${shown(text)}”这个取值`, `No such value: “${shown(text)}”`);
}

function shown(text: string): string {
  return [...text].slice(0, LONGEST_SHOWN).join("");
}

/** "年龄 22–55 且（有房 或 有车）"; no rules are no condition. */
export function rulesSentence(rules: RuleSet | null, locale: Locale): string {
  return sentence(rules ? groupWords(rules, locale) : word("noRules", locale));
}

function groupWords(group: RuleSet, locale: Locale): string {
  const parts = nodesOf(group).map((node) => nodeWords(node, locale));
  // Full-width brackets bring their own space.
  return parts
    .join(word("all" in group ? "and" : "or", locale))
    .replaceAll(" （", "（")
    .replaceAll("） ", "）");
}

function nodeWords(node: RuleNode, locale: Locale): string {
  if (!isGroup(node)) return conditionWords(node, locale);
  const words = groupWords(node, locale);
  return nodesOf(node).length === 1 ? words : `${word("open", locale)}${words}${word("close", locale)}`;
}

function conditionWords({ field: name, op, value }: RuleCondition, locale: Locale): string {
  const field = applicantField(name);
  if (!field) return name;
  const title = field.title[locale];
  if (typeof value === "boolean") {
    return (value ? field.yes : field.no)?.[locale] ?? word(value ? "exists" : "missing", locale, { field: title });
  }
  if (field.kind === "number") {
    const numbers = [value].flat().map((number) => numberText(field, number));
    const sign = op === "gte" ? "≥ " : op === "lte" ? "≤ " : op === "between" ? "" : "= ";
    const values = `${sign}${numbers.join("–")}${field.unit ? ` ${field.unit[locale]}` : ""}`;
    return word("number", locale, { field: title, values });
  }
  const labels = [value]
    .flat()
    .map((code) =>
      field.kind === "city"
        ? placeName(String(code), locale)
        : (field.choices?.find((choice) => choice.code === code)?.label[locale] ?? String(code ?? "…")),
    );
  const one = labels.length === 1;
  const phrase = op === "not_in" ? (one ? "isNot" : "notIn") : one ? "is" : "in";
  return word(phrase, locale, { field: title, values: labels.join(word("comma", locale)) || "…" });
}
