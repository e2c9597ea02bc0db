/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { OrgStatus } from "../../lib/api-types";
import { mayBecome } from "./transitions";

test("a pending one becomes active, active and paused turn into each other, a paused one ends", () => {
  const all: OrgStatus[] = ["pending", "active", "paused", "terminated"];
  const allowed = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from}>${to}`));
  assert.deepEqual(allowed, ["pending>active", "active>paused", "paused>active", "paused>terminated"]);
});
