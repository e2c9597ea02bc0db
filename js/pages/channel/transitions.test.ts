/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ChannelStatus } from "../../lib/api-types";
import { mayBecome } from "./transitions";

test("enabled and paused turn into each other, any is disabled, a disabled one is enabled first", () => {
  const all: ChannelStatus[] = ["enabled", "paused", "disabled"];
  const allowed = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from}>${to}`));
  assert.deepEqual(allowed, [
    "enabled>paused", "enabled>disabled", "paused>enabled", "paused>disabled", "disabled>enabled",
  ]);
});
