/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";

import type { Translate } from "../lib/i18n";
import { type FormField, inputsOf, readable } from "./form";
import { termsField, termsRules } from "./form-terms";

const t: Translate = (key) => (key === "ui.locale" ? "en-US" : key);
const rule = termsRules(t);
const rules = { all: [{ field: "age", op: "gte", value: 22 }] };
const caps = [{ window: "day", weekday: null, maxCount: 5, maxCents: null }];
const schedule = { 1: [[540, 1080]] };
const fields: readonly FormField[] = [
  { name: "filters", label: "channel.filters", ...termsField.rules },
  { name: "caps", label: "channel.caps", ...termsField.caps },
  { name: "schedule", label: "channel.caps", ...termsField.schedule },
];

function outcome(schema: z.ZodMiniType, input: unknown): unknown {
  const result = schema.safeParse(input);
  return result.success ? result.data : [result.error.issues[0]?.message];
}

test("terms are JSON in the form, and come back as they were", () => {
  const inputs = inputsOf(fields, { filters: rules, caps, schedule });
  assert.deepEqual(outcome(rule.rules(), inputs["filters"]), rules);
  assert.deepEqual(outcome(rule.caps(), inputs["caps"]), caps);
  assert.deepEqual(outcome(rule.schedule(), inputs["schedule"]), schedule);
});

test("no terms are an empty input", () => {
  assert.deepEqual(inputsOf(fields, { filters: null, caps: [] }), { filters: "", caps: "", schedule: "" });
  assert.equal(outcome(rule.rules(), ""), null);
  assert.equal(outcome(rule.schedule(), ""), null);
  assert.deepEqual(outcome(rule.caps(), ""), []);
});

test("what is wrong is named with its place", () => {
  assert.deepEqual(outcome(rule.rules(), JSON.stringify({ all: [{ field: "age", op: "gte", value: null }] })), ["No. 1: Enter a number"]);
  assert.deepEqual(outcome(rule.caps(), JSON.stringify([{ ...caps[0], maxCount: null }])), ["No. 1: Enter a count or an amount"]);
  assert.deepEqual(outcome(rule.schedule(), JSON.stringify({ 1: [[0, 0]] })), ["No. 1.1: The end must be after the start"]);
});

test("terms read as sentences", () => {
  const read = (name: string, value: unknown) =>
    readable(
      fields.find((field) => field.name === name)!,
      value,
      t,
    );
  assert.equal(read("filters", rules), "Age ≥ 22");
  assert.equal(read("filters", null), "-");
  assert.equal(read("caps", caps), "At most 5 leads a day");
  assert.equal(read("schedule", schedule), "Mon 09:00–18:00");
});
