/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { RuleCondition, RuleSet } from "../lib/api-types";
import { added, blankCondition, blankGroup, nodeAt, rejoined, removed, replaced, withField, withOp } from "./rule-tree";

const age: RuleCondition = { field: "age", op: "gte", value: 22 };
const house: RuleCondition = { field: "house", op: "exists", value: true };
const car: RuleCondition = { field: "car", op: "exists", value: true };
const rules: RuleSet = { all: [age, { any: [house, car] }] };

test("nodes are added to the group at a path", () => {
  assert.deepEqual(added(null, [], age), { all: [age] });
  assert.deepEqual(added(rules, [], house), { all: [age, { any: [house, car] }, house] });
  assert.deepEqual(added(rules, [1], age), { all: [age, { any: [house, car, age] }] });
  assert.deepEqual(rules, { all: [age, { any: [house, car] }] }, "the old ones stay");
});

test("nodes are removed, and the groups that this empties", () => {
  assert.deepEqual(removed(rules, [1, 0]), { all: [age, { any: [car] }] });
  assert.deepEqual(removed({ all: [age, { any: [{ all: [house] }] }] }, [1, 0, 0]), { all: [age] });
  assert.equal(removed({ all: [{ any: [age] }] }, [0, 0]), null);
  assert.equal(removed(rules, []), null);
});

test("nodes are replaced and groups joined otherwise", () => {
  assert.deepEqual(replaced(rules, [1, 1], age), { all: [age, { any: [house, age] }] });
  assert.deepEqual(rejoined(rules, [], "any"), { any: [age, { any: [house, car] }] });
  assert.deepEqual(rejoined(rules, [1], "all"), { all: [age, { all: [house, car] }] });
  assert.deepEqual(nodeAt(rules, [1, 1]), car);
  assert.equal(nodeAt(rules, [0, 1]), undefined);
});

test("new nodes begin blank", () => {
  assert.deepEqual(blankCondition(), { field: "age", op: "between", value: [null, null] });
  assert.deepEqual(blankGroup("all"), { any: [blankCondition()] });
  assert.deepEqual(withField("city"), { field: "city", op: "in", value: [] });
  assert.deepEqual(withField("huabei"), { field: "huabei", op: "eq", value: true });
});

test("a value stays as far as the comparison lets it", () => {
  const value = (condition: RuleCondition, op: RuleCondition["op"]) => withOp(condition, op).value;
  assert.deepEqual(value(age, "between"), [22, null]);
  assert.equal(value({ field: "age", op: "between", value: [22, 55] }, "lte"), 22);
  assert.equal(value(age, "exists"), true);
  assert.equal(value({ field: "age", op: "exists", value: false }, "gte"), null);
  assert.deepEqual(value({ field: "sex", op: "in", value: ["male", "female"] }, "not_in"), ["male", "female"]);
  assert.equal(value({ field: "sex", op: "in", value: ["male"] }, "eq"), "male");
  assert.equal(value({ field: "sex", op: "in", value: [] }, "eq"), "");
  assert.deepEqual(value({ field: "sex", op: "eq", value: "" }, "in"), []);
  assert.deepEqual(value({ field: "sex", op: "eq", value: "male" }, "in"), ["male"]);
});
