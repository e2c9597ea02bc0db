import assert from "node:assert/strict";
import { test } from "node:test";
import { ceiling, pathOf } from "./curve";

test("a curve's top is a round number that nothing exceeds", () => {
  assert.deepEqual([0, 0.3, 1, 1.1, 3, 5.5, 99, 101, 2400].map(ceiling), [1, 1, 1, 2, 5, 10, 100, 200, 5000]);
});

test("a line breaks where there is no value, and begins within its span", () => {
  const at = [0, 100, 200, 300, 400];
  assert.equal(pathOf([1, 2, null, 2, 0], at, 400, 2), "M0 40h.1L90 0M270 0h.1L360 80");
  assert.equal(pathOf([1, 1, 1, 1, 1], at, 200, 2), "M0 40h.1L180 40L360 40", "what is older is left out");
  assert.equal(pathOf([], [], 200, 2), "");
});
