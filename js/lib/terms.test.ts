/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CapRule, PriceRule, RuleSet, Schedule } from "./api-types";
import { capsSentence, wrongCaps } from "./caps";
import { pricesSentence, wrongPrices } from "./price-rules";
import { cityCodes } from "./places";
import { rulesSentence, wrongRules } from "./rule-set";
import { scheduleSentence, tidySchedule, wrongSchedule } from "./schedule";
import cases from "./terms.cases.json";
import { type Wrong, wrongText } from "./terms-wrong";
import type { Locale } from "./types";

// The server's tests hold themselves to the same cases: crates/frame/src/terms.
const locales: readonly Locale[] = ["zh-CN", "en-US"];
const pairs = (wrong: readonly Wrong[]) => wrong.map(({ place, message }) => [place, message]);

test("rule sets read as on the server", () => {
  for (const one of cases.rules) {
    const tree = one.tree as RuleSet;
    assert.deepEqual(wrongRules(tree, "en-US"), []);
    for (const locale of locales) assert.equal(rulesSentence(tree, locale), one[locale]);
  }
  assert.equal(rulesSentence(null, "zh-CN"), "不限");
});

test("every wrong node of a rule set is named as on the server", () => {
  for (const { tree, wrong } of cases.wrongRules) assert.deepEqual(pairs(wrongRules(tree as unknown as RuleSet, "en-US")), wrong);
  for (const { tree, wrong } of cases.wrongRulesOfVisitors) {
    assert.deepEqual(pairs(wrongRules(tree as unknown as RuleSet, "en-US", "visitor")), wrong);
    assert.deepEqual(wrongRules(tree as unknown as RuleSet, "en-US"), []);
  }
});

test("rule sets are bounded", () => {
  const age = { field: "age", op: "gte" as const, value: 20 };
  const nested = (depth: number): RuleSet => (depth === 1 ? { all: [age] } : { any: [nested(depth - 1)] });
  assert.deepEqual(wrongRules(nested(4), "en-US"), []);
  assert.deepEqual(pairs(wrongRules(nested(5), "en-US")), [["1.1.1.1", "At most 4 nested levels"]]);
  assert.equal(wrongRules({ all: Array.from({ length: 49 }, () => age) }, "en-US").length, 0);
  assert.equal(wrongRules({ all: Array.from({ length: 50 }, () => age) }, "en-US")[0]?.message, "At most 50 conditions and groups");
  const cities = (length: number): RuleSet => ({ all: [{ field: "city", op: "in", value: cityCodes.slice(0, length) }] });
  assert.equal(wrongRules(cities(200), "en-US").length, 0);
  assert.equal(wrongRules(cities(201), "en-US")[0]?.message, "At most 200 values");
});

test("schedules read as on the server", () => {
  for (const one of cases.schedules) {
    const schedule = tidySchedule(one.schedule as unknown as Schedule);
    assert.deepEqual(wrongSchedule(schedule, "en-US"), []);
    for (const locale of locales) assert.equal(scheduleSentence(schedule, locale), one[locale]);
  }
  assert.equal(scheduleSentence(null, "en-US"), "At any time");
});

test("wrong spans are named as on the server", () => {
  for (const { schedule, wrong } of cases.wrongSchedules)
    assert.deepEqual(pairs(wrongSchedule(schedule as unknown as Schedule, "en-US")), wrong);
});

test("caps read as on the server, and are wrong as there", () => {
  for (const one of cases.caps) {
    const caps = one.caps as CapRule[];
    assert.deepEqual(wrongCaps(caps, "en-US"), []);
    for (const locale of locales) assert.equal(capsSentence(caps, locale), one[locale]);
  }
  for (const { caps, wrong } of cases.wrongCaps) assert.deepEqual(pairs(wrongCaps(caps as CapRule[], "en-US")), wrong);
});

test("faults are told with their places", () => {
  const wrong = [
    { place: "", message: "甲" },
    { place: "2.1", message: "乙" },
  ];
  assert.equal(wrongText(wrong, "zh-CN"), "甲；第 2.1 项：乙");
});

test("prices read as on the server, and are wrong as there", () => {
  for (const one of cases.prices) {
    const prices = one.prices as PriceRule[];
    assert.deepEqual(wrongPrices(prices, "en-US"), []);
    for (const locale of locales) assert.equal(pricesSentence(prices, locale), one[locale]);
  }
  for (const { prices, wrong } of cases.wrongPrices) assert.deepEqual(pairs(wrongPrices(prices as unknown as PriceRule[], "en-US")), wrong);
});
