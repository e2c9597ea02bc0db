/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { conflictsOf, keepMine } from "./conflict";

const names = ["name", "price", "ips"];
const base = { name: "A", price: 100, ips: ["1.1.1.1"] };

test("only what somebody else changed is a conflict", () => {
  const mine = { ...base, name: "B" };
  const theirs = { ...base, price: 200 };
  assert.deepEqual(conflictsOf(names, base, mine, theirs), [{ name: "price", base: 100, mine: 100, theirs: 200, clash: false }]);
});

test("a field that both changed differently clashes, the same change does not", () => {
  const theirs = { ...base, name: "C", price: 300 };
  const found = conflictsOf(names, base, { ...base, name: "B", price: 300 }, theirs);
  assert.deepEqual(
    found.map(({ name, clash }) => [name, clash]),
    [
      ["name", true],
      ["price", false],
    ],
  );
});

test("lists are compared by what they hold", () => {
  assert.deepEqual(conflictsOf(names, base, base, { ...base, ips: ["1.1.1.1"] }), []);
  assert.equal(conflictsOf(names, base, base, { ...base, ips: [] }).length, 1);
});

test("missing and null are the same", () => {
  assert.deepEqual(conflictsOf(["remark"], { remark: null }, {}, {}), []);
});

test("keeping mine takes theirs where I changed nothing", () => {
  const mine = { ...base, name: "B" };
  const theirs = { name: "C", price: 200, ips: ["2.2.2.2"] };
  assert.deepEqual(keepMine(names, base, mine, theirs), { name: "B", price: 200, ips: ["2.2.2.2"] });
});
