import assert from "node:assert/strict";
import { test } from "node:test";

import type { SettingRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import { inputOf, parseInput, valueText } from "./value";

const t: Translate = (key, params) => (params ? `${key} ${JSON.stringify(params)}` : key);
const base: SettingRow = {
  key: "x",
  title: "X",
  help: "",
  kind: "int",
  unit: null,
  least: null,
  most: null,
  longest: null,
  entries: null,
  choices: [],
  default: null,
  value: null,
  isSet: false,
  version: 0,
  updatedAt: null,
  updatedBy: null,
};
const minutes: SettingRow = { ...base, unit: "minutes", least: 5, most: 720 };
const cents: SettingRow = { ...base, unit: "cents", least: 0, most: 100_000 };
const rate: SettingRow = { ...base, unit: "basis_points", least: 100, most: 3600 };
const words: SettingRow = { ...base, kind: "list", entries: 2, longest: 4 };

test("a value survives the way into its input and back", () => {
  for (const [row, value, input] of [
    [minutes, 30, "30"],
    [cents, 100_050, "1000.5"],
    [rate, 2400, "24"],
    [{ ...base, kind: "bool" }, true, true],
    [words, ["a", "b"], "a\nb"],
    [{ ...base, kind: "text", longest: 16 }, "领航", "领航"],
  ] as const) {
    const typed = inputOf(row as SettingRow, value as never);
    assert.equal(typed, input);
    if (row !== cents) assert.deepEqual(parseInput(row as SettingRow, typed, t), { value });
  }
});

test("what is typed is held to the setting's bounds, in the unit in which it is typed", () => {
  for (const [row, input] of [
    [minutes, "4"],
    [minutes, "721"],
    [minutes, "3.5"],
    [minutes, ""],
    [rate, "36.01"],
    [words, "a\nb\nc"],
    [words, "abcde"],
    [{ ...base, kind: "address", longest: 50 }, "http://a.example"],
  ] as const) {
    assert.ok("wrong" in parseInput(row as SettingRow, input, t), `${row.kind} ${input}`);
  }
  assert.deepEqual(parseInput(rate, "99", t), { wrong: 'ui.rule.range {"min":1,"max":36}' });
  assert.deepEqual(parseInput(words, " a \n\na", t), { value: ["a"] });
});

test("a value reads with its unit", () => {
  assert.equal(valueText(minutes, 30, t), "30 setting.unit.minutes");
  assert.equal(valueText(cents, 100_000, t), "1,000.00 ui.yuan");
  assert.equal(valueText(rate, 2450, t), "24.5%");
  assert.equal(valueText({ ...base, kind: "choice", choices: [{ value: "a", label: "A" }] }, "a", t), "A");
  assert.equal(valueText(words, [], t), "-");
});
