/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { ProductStatus } from "../../lib/api-types";
import { mayBecome } from "./transitions";

test("a draft goes online, online and offline turn into each other, an offline one is archived", () => {
  const all: ProductStatus[] = ["draft", "online", "offline", "archived"];
  const allowed = all.flatMap((from) => all.filter((to) => mayBecome(from, to)).map((to) => `${from}>${to}`));
  assert.deepEqual(allowed, ["draft>online", "online>offline", "offline>online", "offline>archived"]);
});
