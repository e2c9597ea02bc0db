/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { latestFirst } from "./story-order";

test("what happened in the same minute stands in the order in which it happened", () => {
  const minute = 29_000_000 * 60_000;
  const entries = [
    { name: "assigned", at: minute + 100, step: "work" as const },
    { name: "begun", at: minute + 100, step: "begun" as const },
    { name: "called", at: minute + 50_000, step: "work" as const },
    { name: "applied", at: minute + 200, step: "applied" as const },
    { name: "sold", at: minute + 90, step: "sold" as const },
    { name: "moved", at: minute + 60_000, step: "work" as const },
  ];
  assert.deepEqual(
    latestFirst(entries).map(({ name }) => name),
    ["moved", "called", "assigned", "begun", "sold", "applied"],
  );
});
