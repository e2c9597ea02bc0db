/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { PlanRow } from "../../../lib/api-types";
import { planStatusCodes } from "../../../lib/codes";
import { hasBounds, isAdjustable, isDeletable, isEditable } from "./status";

test("what ended is not changed, what ran is not deleted", () => {
  assert.deepEqual(planStatusCodes.filter(isEditable), ["draft", "pending", "running", "paused", "rejected"]);
  assert.deepEqual(planStatusCodes.filter(isDeletable), ["draft", "rejected"]);
});

test("an organisation adjusts what was agreed, and pausing alone is no term", () => {
  const none = { ownPriceMostCents: null, ownDayMost: null, ownHours: false, ownCities: false, ownPause: false } as PlanRow;
  assert.deepEqual([hasBounds(none), isAdjustable(none)], [false, false]);
  assert.deepEqual([hasBounds({ ...none, ownPause: true }), isAdjustable({ ...none, ownPause: true })], [true, false]);
  assert.deepEqual([hasBounds({ ...none, ownHours: true }), isAdjustable({ ...none, ownHours: true })], [true, true]);
});
