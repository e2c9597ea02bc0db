/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { planStatusCodes } from "../../../lib/codes";
import { isDeletable, isEditable } from "./status";

test("what ended is not changed, what ran is not deleted", () => {
  assert.deepEqual(planStatusCodes.filter(isEditable), ["draft", "pending", "running", "paused", "rejected"]);
  assert.deepEqual(planStatusCodes.filter(isDeletable), ["draft", "rejected"]);
});
