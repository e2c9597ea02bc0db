/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { AppContext } from "../lib/app-context";
import { translator } from "../lib/i18n";
import type { Locale } from "../lib/types";
import CapsEditor from "./caps-editor";
import RuleEditor from "./rule-editor";
import ScheduleEditor from "./schedule-editor";
import type { TermsEditorProps } from "./terms-editor";

/** An editor as it first appears. */
function drawn(
  Editor: ComponentType<TermsEditorProps>,
  value: unknown,
  { locale = "en-US", fixed = false, tried = true }: { locale?: Locale; fixed?: boolean; tried?: boolean } = {},
): string {
  const context = { props: { locale }, t: translator(texts[locale]) } as never;
  return renderToStaticMarkup(
    <AppContext.Provider value={context}>
      <Editor
        text={value === null ? "" : JSON.stringify(value)}
        onChange={() => {}}
        onBlur={() => {}}
        labelledBy="l"
        describedBy={undefined}
        fixed={fixed}
        tried={tried}
      />
    </AppContext.Provider>,
  );
}

/** Accessible names of the inputs and buttons, in order. */
function names(html: string): string[] {
  return [...html.matchAll(/<(?:select|input|button)[^>]*? aria-label="([^"]*)"/g)].map(([, name]) => name!);
}

const rules = {
  all: [
    { field: "age", op: "between", value: [22, null] },
    {
      any: [
        { field: "occupation", op: "in", value: ["employee"] },
        { field: "city", op: "in", value: ["310100", "110100"] },
        { field: "house", op: "exists", value: true },
      ],
    },
    { field: "incomeCentsMonth", op: "gte", value: 500050 },
  ],
};

test("every part of a rule set has a name by its place", () => {
  assert.deepEqual(names(drawn(RuleEditor, rules)), [
    "All conditions: combination",
    "Condition 1: field",
    "Condition 1: comparison",
    "Condition 1: from",
    "Condition 1: to",
    "Remove condition 1",
    "2: combination",
    "Remove group 2",
    "Condition 2.1: field",
    "Condition 2.1: comparison",
    "Remove condition 2.1",
    "Condition 2.2: field",
    "Condition 2.2: comparison",
    "Remove Shanghai",
    "Remove Beijing",
    "Condition 2.2: value",
    "Remove condition 2.2",
    "Condition 2.3: field",
    "Condition 2.3: comparison",
    "Condition 2.3: value",
    "Remove condition 2.3",
    "Condition 3: field",
    "Condition 3: comparison",
    "Condition 3: value",
    "Remove condition 3",
  ]);
});

test("a rule set is told as a sentence, its faults at their conditions", () => {
  const html = drawn(RuleEditor, rules, { locale: "zh-CN" });
  assert.match(html, /年龄 22–… 且（职业为上班族 或 城市为上海市、北京市 或 有房）且 月收入 ≥ 5,000.50 元/);
  assert.equal(html.match(/请输入数字/g)?.length, 1);
  assert.match(html, /value="5000.50"/);
  assert.match(html, /移除 上海市/);
  assert.match(drawn(RuleEditor, null), /No condition/);
});

test("a week has a cell for each half hour, and each day its spans", () => {
  const html = drawn(ScheduleEditor, { 1: [[540, 1080]], 2: [[545, 600]] });
  assert.equal(html.match(/role="gridcell"/g)?.length, 7 * 48);
  assert.equal(html.match(/data-state="on"/g)?.length, 18 + 1);
  assert.equal(html.match(/data-state="part"/g)?.length, 1);
  assert.match(html, /aria-label="Mon 09:00–09:30"/);
  assert.doesNotMatch(html, /09:05-10:00/, "one control is shown at a time");
  assert.match(html, /Mon 09:00–18:00; Tue 09:05–10:00/);
  assert.match(drawn(ScheduleEditor, null), /At any time/);
  const overlapping = drawn(ScheduleEditor, {
    2: [
      [545, 600],
      [590, 700],
    ],
  });
  assert.doesNotMatch(overlapping, /gridcell/, "the grid cannot show what is wrong");
  assert.match(overlapping, /value="09:05-10:00, 09:50-11:40"/);
});

test("each cap is a row of named inputs", () => {
  const caps = [
    { window: "day", weekday: null, maxCount: 100, maxCents: null },
    { window: "day", weekday: 6, maxCount: null, maxCents: 500000 },
  ];
  const html = drawn(CapsEditor, caps);
  assert.deepEqual(names(html).slice(0, 5), ["Cap 1: period", "Cap 1: weekday", "Cap 1: count", "Cap 1: amount", "Remove cap 1"]);
  assert.match(html, /At most 100 leads a day; at most 5,000 CNY on Sat/);
  assert.match(drawn(CapsEditor, null, { locale: "zh-CN" }), /不限量/);
});

test("a cap is wrong once it was tried, and only the control that is", () => {
  const empty = [{ window: "day", weekday: null, maxCount: null, maxCents: null }];
  const invalid = (html: string) => [...html.matchAll(/aria-label="([^"]*)" aria-invalid="true"/g)].map(([, name]) => name);
  assert.deepEqual(invalid(drawn(CapsEditor, empty, { tried: false })), []);
  assert.doesNotMatch(drawn(CapsEditor, empty, { tried: false }), /ll-error/);
  assert.deepEqual(invalid(drawn(CapsEditor, empty)), ["Cap 1: count"]);
  assert.deepEqual(invalid(drawn(CapsEditor, [{ ...empty[0], maxCents: -5 }])), ["Cap 1: amount"]);
});

test("what is fixed offers nothing to change", () => {
  for (const html of [
    drawn(RuleEditor, rules, { fixed: true }),
    drawn(ScheduleEditor, {}, { fixed: true }),
    drawn(CapsEditor, [], { fixed: true }),
  ]) {
    assert.doesNotMatch(html, /<button/);
    for (const [input] of html.matchAll(/<(?:select|input)[^>]*>/g)) assert.match(input, /disabled|readOnly|readonly/);
  }
});
