/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";

import { phone } from "../lib/canonical";
import type { Translate } from "../lib/i18n";
import { rules } from "./form-rules";

const t: Translate = (key, params) => `${key}${params ? JSON.stringify(params) : ""}`;
const rule = rules(t);

/** The result of a rule for an input: the value, or the message in brackets. */
function outcome(schema: z.ZodMiniType, input: unknown): unknown {
  const result = schema.safeParse(input);
  return result.success ? result.data : [result.error.issues[0]?.message];
}

test("yuan are typed, fen are sent", () => {
  assert.equal(outcome(rule.money(), "1.15"), 115);
  assert.equal(outcome(rule.money(), " 1,234.5 "), 123450);
  assert.equal(outcome(rule.money(), "0.29"), 29);
  assert.equal(outcome(rule.money(), ""), 0);
  for (const typed of ["1.234", "abc", "1e3", ".", "--1"]) {
    assert.deepEqual(outcome(rule.money(), typed), ["ui.rule.number"], typed);
  }
  assert.deepEqual(outcome(rule.money(1000), "-1"), ['ui.rule.range{"min":"0","max":"10"}']);
  assert.deepEqual(outcome(rule.money(1000), "10.01"), ['ui.rule.range{"min":"0","max":"10"}']);
});

test("per cent are typed, basis points are sent", () => {
  assert.equal(outcome(rule.percent(), "12.5"), 1250);
  assert.deepEqual(outcome(rule.percent(), "100.01"), ['ui.rule.range{"min":"0","max":"100"}']);
});

test("texts are trimmed, required ones must be there", () => {
  assert.equal(outcome(rule.text(5), " ab "), "ab");
  assert.deepEqual(outcome(rule.text(5), "  "), ["ui.rule.required"]);
  assert.deepEqual(outcome(rule.text(5), "abcdef"), ['ui.rule.tooLong{"max":5,"length":6}']);
  assert.deepEqual(outcome(rule.text(5, /^\d+$/, "digits"), "ab"), ["digits"]);
  assert.equal(outcome(rule.optional(5), " "), null);
  assert.equal(outcome(rule.note(5), " "), "");
});

test("numbers, choices and lines", () => {
  assert.equal(outcome(rule.optionalInteger(0, 10), ""), null);
  assert.equal(outcome(rule.optionalInteger(0, 10), "7"), 7);
  assert.deepEqual(outcome(rule.optionalInteger(0, 10), "7.5"), ["ui.rule.number"]);
  assert.deepEqual(outcome(rule.oneOf(["a", "b"]), "c"), ["ui.rule.choose"]);
  assert.deepEqual(outcome(rule.ids(1), ["3", "4"]), [3, 4]);
  assert.deepEqual(outcome(rule.ids(1), []), ["ui.rule.choose"]);
  const lines = rule.lines(2, /^\d+$/, (line) => `no: ${line}`);
  assert.deepEqual(outcome(lines, " 1 \n\n2\n"), ["1", "2"]);
  assert.deepEqual(outcome(lines, "1\nx"), ["no: x"]);
  assert.deepEqual(outcome(lines, "1\n2\n3"), ['ui.rule.tooMany{"max":2}']);
});

test("each line is brought into one form before it is checked", () => {
  const phones = rule.lines(
    5,
    /^1\d\d(?:\d{4}|\*{4})\d{4}$/,
    (line) => line,
    (line) => phone(line) ?? line.trim(),
  );
  assert.deepEqual(outcome(phones, "139 9900 0001\n+86 13999000002\n\n139****0003"), ["13999000001", "13999000002", "139****0003"]);
  assert.deepEqual(outcome(phones, "139 9900"), ["139 9900"]);
});
