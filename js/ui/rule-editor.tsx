/**
 * The editor of a rule set: nested groups with conditions, and the sentence that they make. It consists of
 * native inputs and buttons, named by their places ("2.1"). A lazy chunk: it loads with the
 * first form that has one.
 */
import { useEffect, useRef, useState } from "react";

import type { RuleCondition, RuleNode, RuleSet } from "../lib/api-types";
import { useLocale, useT } from "../lib/i18n";
import { ruleSetLimits } from "../lib/limits";
import { isGroup, nodesOf, placeOf, rulesSentence, wrongRules } from "../lib/rule-set";
import { applicantField, opsOf, ruleFields, type RulesOf, sentence } from "../lib/terms-table";
import type { Wrong } from "../lib/terms-wrong";
import { Button, IconButton } from "./button";
import { RuleValueInput } from "./rule-value";
import {
  added,
  blankCondition,
  blankGroup,
  type Joint,
  jointOf,
  nodeAt,
  type Path,
  rejoined,
  removed,
  replaced,
  withField,
  withOp,
} from "./rule-tree";
import { onLeave, type TermsEditorProps, textOf, valueOf, wrongAt } from "./terms-editor";
import "./rule-editor.css";

export default function RuleEditor({ text, onChange, onBlur, labelledBy, describedBy, fixed, tried, of = "applicant" }: TermsEditorProps) {
  const locale = useLocale();
  const rules = valueOf<RuleSet>(text);
  const frame = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<{ selector: string }>();

  // Focuses a node that was added, or the group of one that was removed.
  useEffect(() => {
    if (focus) frame.current?.querySelector<HTMLElement>(focus.selector)?.focus();
  }, [focus]);

  const change = (next: RuleSet | null, selector?: string) => {
    onChange(textOf(next));
    if (selector) setFocus({ selector });
  };
  const edits: Edits = {
    add: (path, node) => {
      const group = rules && nodeAt(rules, path);
      const index = group && isGroup(group) ? nodesOf(group).length : 0;
      change(added(rules, path, node), `[data-place="${placeOf(placeText(path), index)}"] select`);
    },
    remove: (path) => rules && change(removed(rules, path), `[data-add="${placeText(path.slice(0, -1))}"], [data-add=""]`),
    replace: (path, node) => rules && change(replaced(rules, path, node)),
    rejoin: (path, joint) => rules && change(rejoined(rules, path, joint)),
  };
  const wrong = rules && tried ? wrongRules(rules, locale, of) : [];
  return (
    <div ref={frame} className="ll-rules" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy} onBlur={onLeave(onBlur)}>
      <Group group={rules} path={[]} edits={edits} wrong={wrong} fixed={fixed} of={of} />
      <p className="ll-terms-sentence" aria-live="polite">
        {rulesSentence(rules, locale)}
      </p>
    </div>
  );
}

interface Edits {
  add: (path: Path, node: RuleNode) => void;
  remove: (path: Path) => void;
  replace: (path: Path, node: RuleNode) => void;
  rejoin: (path: Path, joint: Joint) => void;
}

interface PartProps {
  path: Path;
  edits: Edits;
  wrong: readonly Wrong[];
  fixed: boolean | undefined;
  of: RulesOf;
}

/** "2.1" of a path; empty for the whole. */
function placeText(path: Path): string {
  return path.map((index) => index + 1).join(".");
}

function Group({ group, path, edits, wrong, fixed, of }: PartProps & { group: RuleSet | null }) {
  const t = useT();
  const place = placeText(path);
  const nodes = group ? nodesOf(group) : [];
  const joint = group ? jointOf(group) : "all";
  const fault = wrongAt(wrong, place);
  return (
    <div className="ll-rule-group" data-place={place} role="group" aria-label={place ? t("terms.group", { place }) : t("terms.groupWhole")}>
      {group && (
        <div className="ll-rule-head">
          <select
            className="ll-input"
            aria-label={t("terms.joint", { place: place || t("terms.whole") })}
            value={joint}
            disabled={fixed}
            onChange={({ target }) => edits.rejoin(path, target.value as Joint)}
          >
            <option value="all">{t("terms.all")}</option>
            <option value="any">{t("terms.any")}</option>
          </select>
          {path.length > 0 && !fixed && (
            <IconButton small icon="trash" label={t("terms.removeGroup", { place })} onClick={() => edits.remove(path)} />
          )}
        </div>
      )}
      {nodes.length > 0 && (
        <ol className="ll-rule-nodes">
          {nodes.map((node, index) => {
            const inner = { path: [...path, index], edits, wrong, fixed, of };
            return <li key={index}>{isGroup(node) ? <Group group={node} {...inner} /> : <Condition condition={node} {...inner} />}</li>;
          })}
        </ol>
      )}
      {fault && (
        <p className="ll-error" role="alert">
          {fault}
        </p>
      )}
      {!fixed && (
        <div className="ll-rule-add">
          <Button small icon="plus" data-add={place} onClick={() => edits.add(path, blankCondition())}>
            {t("terms.addCondition")}
          </Button>
          {group && path.length + 1 < ruleSetLimits.mostDepth && (
            <Button small icon="plus" look="text" onClick={() => edits.add(path, blankGroup(joint))}>
              {t("terms.addGroup")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Condition({ condition, path, edits, wrong, fixed, of }: PartProps & { condition: RuleCondition }) {
  const t = useT();
  const locale = useLocale();
  const place = placeText(path);
  const field = applicantField(condition.field);
  const offered = ruleFields(of);
  const fault = wrongAt(wrong, place);
  const name = (what: string) => t("terms.part", { place, what });
  const change = (next: RuleCondition) => edits.replace(path, next);
  return (
    <div className="ll-rule-condition" data-place={place} role="group" aria-label={t("terms.condition", { place })}>
      <select
        className="ll-input"
        aria-label={name(t("terms.field"))}
        value={condition.field}
        disabled={fixed}
        onChange={({ target }) => change(withField(target.value))}
      >
        {!(field && offered.includes(field)) && (
          <option value={condition.field}>{field ? sentence(field.title[locale]) : condition.field}</option>
        )}
        {offered.map(({ name, title }) => (
          <option key={name} value={name}>
            {sentence(title[locale])}
          </option>
        ))}
      </select>
      {field && opsOf[field.kind].length > 0 && (
        <select
          className="ll-input"
          aria-label={name(t("terms.op"))}
          value={condition.op}
          disabled={fixed}
          onChange={({ target }) => change(withOp(condition, target.value as RuleCondition["op"]))}
        >
          {opsOf[field.kind].map((op) => (
            <option key={op} value={op}>
              {t(`terms.op.${op}`)}
            </option>
          ))}
        </select>
      )}
      {field && (
        <RuleValueInput
          field={field}
          op={condition.op}
          value={condition.value}
          name={name}
          fixed={fixed}
          onChange={(value) => change({ ...condition, value })}
        />
      )}
      {!fixed && <IconButton small icon="trash" label={t("terms.removeCondition", { place })} onClick={() => edits.remove(path)} />}
      {fault && (
        <p className="ll-error" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
