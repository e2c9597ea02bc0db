/**
 * The changes of a rule set that the editor makes, without its look. A path leads from the
 * whole to a node, by its index in each group. Values may be unfinished: missing parts are null.
 */
import type { RuleCondition, RuleNode, RuleOp, RuleSet, RuleValue } from "../lib/api-types";
import { isGroup, nodesOf } from "../lib/rule-set";
import { type ApplicantField, applicantField, applicantFields, opsOf } from "../lib/terms-table";

export type Path = readonly number[];
export type Joint = "all" | "any";

/** How a group joins its nodes. */
export function jointOf(group: RuleSet): Joint {
  return "all" in group ? "all" : "any";
}

/** A group of nodes. */
export function groupOf(joint: Joint, nodes: RuleNode[]): RuleSet {
  return joint === "all" ? { all: nodes } : { any: nodes };
}

/** The node at a path, if there is one. */
export function nodeAt(rules: RuleSet, path: Path): RuleNode | undefined {
  return path.reduce<RuleNode | undefined>((node, index) => (node && isGroup(node) ? nodesOf(node)[index] : undefined), rules);
}

/** The condition that a new node starts with. */
export function blankCondition(): RuleCondition {
  return withField(applicantFields[0]!.name);
}

/** The group that a new node starts with: joined the other way than the group around it. */
export function blankGroup(around: Joint): RuleSet {
  return groupOf(around === "all" ? "any" : "all", [blankCondition()]);
}

/** The rules with a node added to the end of the group at a path; without rules, a new group with the node. */
export function added(rules: RuleSet | null, path: Path, node: RuleNode): RuleSet {
  if (!rules) return groupOf("all", [node]);
  return changed(rules, path, (group) => (isGroup(group) ? groupOf(jointOf(group), [...nodesOf(group), node]) : group)) ?? rules;
}

/** The rules without the node at a path; a group that becomes empty is removed too. */
export function removed(rules: RuleSet, path: Path): RuleSet | null {
  return path.length === 0 ? null : changed(rules, path, () => null);
}

/** The rules with another node at a path. */
export function replaced(rules: RuleSet, path: Path, node: RuleNode): RuleSet {
  return changed(rules, path, () => node) ?? rules;
}

/** The rules with another joint of the group at a path. */
export function rejoined(rules: RuleSet, path: Path, joint: Joint): RuleSet {
  return changed(rules, path, (group) => (isGroup(group) ? groupOf(joint, nodesOf(group)) : group)) ?? rules;
}

function changed(rules: RuleSet, path: Path, change: (node: RuleNode) => RuleNode | null): RuleSet | null {
  const visit = (node: RuleNode, [index, ...rest]: Path): RuleNode | null => {
    if (index === undefined) return change(node);
    if (!isGroup(node)) return node;
    const nodes = nodesOf(node).flatMap((inner, at) => (at === index ? (visit(inner, rest) ?? []) : [inner]));
    return nodes.length === 0 ? null : groupOf(jointOf(node), nodes);
  };
  return visit(rules, path) as RuleSet | null;
}

/** A new condition on a field, with the field's first comparison and a blank value. */
export function withField(name: string): RuleCondition {
  const field = applicantField(name);
  const op = field ? opsOf[field.kind][0]! : "exists";
  return { field: name, op, value: blankValue(field, op) };
}

/** A condition with another comparison; its value stays as far as it makes sense. */
export function withOp({ field: name, op: before, value }: RuleCondition, op: RuleOp): RuleCondition {
  const field = applicantField(name);
  const lists: readonly RuleOp[] = ["in", "not_in"];
  const numbers: readonly RuleOp[] = ["gte", "lte", "eq"];
  const [first = null] = [value].flat();
  const kept = (): RuleValue => {
    if (before === "exists" || op === "exists" || field?.kind === "flag") return blankValue(field, op);
    if (lists.includes(op)) return lists.includes(before) ? value : first === "" || first === null ? [] : ([first] as string[]);
    if (field?.kind === "number" && numbers.includes(op)) return first as number;
    if (op === "between") return [first, null] as unknown as number[];
    return (first ?? "") as string;
  };
  return { field: name, op, value: kept() };
}

function blankValue(field: ApplicantField | undefined, op: RuleOp): RuleValue {
  if (op === "exists" || field?.kind === "flag") return true;
  if (op === "between") return [null, null] as unknown as number[];
  if (op === "in" || op === "not_in") return [];
  return field?.kind === "number" ? (null as unknown as number) : "";
}
