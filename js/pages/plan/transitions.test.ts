/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { PlanStatus } from "../../lib/api-types";
import { isDeletable, isEditable, mayBecome } from "./transitions";

const all: PlanStatus[] = ["draft", "pending", "running", "paused", "ended", "rejected"];

test("the steps of who works on a plan", () => {
  const allowed = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from}>${to}`));
  assert.deepEqual(allowed, ["draft>pending", "running>paused", "running>ended", "paused>running", "paused>ended", "rejected>draft"]);
});

test("what ended is not changed, what ran is not deleted", () => {
  assert.deepEqual(all.filter(isEditable), ["draft", "pending", "running", "paused", "rejected"]);
  assert.deepEqual(all.filter(isDeletable), ["draft", "rejected"]);
});
