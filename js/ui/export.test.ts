/** The pauses between the polls of a task. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isUnderWay, pauseBefore } from "./export";

test("a small export is ready at once, a large one is not asked for all the time", () => {
  assert.ok(pauseBefore(0) <= 100);
  assert.ok(pauseBefore(0) + pauseBefore(1) + pauseBefore(2) <= 500);
  assert.equal(pauseBefore(50), pauseBefore(5));
  assert.ok(pauseBefore(50) >= 1000);
});

test("what has ended is not looked at any more", () => {
  assert.ok(isUnderWay({ status: "queued" }) && isUnderWay({ status: "running" }));
  for (const status of ["success", "failed", "stopped", "expired"] as const) assert.ok(!isUnderWay({ status }));
});
