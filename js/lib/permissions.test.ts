/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { passes } from "./permissions";

const has = (code: string) => code === "channel/list/create";

// S6.04 S6.05
test("one of the list is enough, and an empty list is for everyone", () => {
  assert.equal(passes(["channel/list/delete", "channel/list/create"], has), true);
  assert.equal(passes(["channel/list/delete"], has), false);
  assert.equal(passes([], has), true);
});

// S6.04 S6.05
test("what is no list is an error that says roles are needed", () => {
  for (const wrong of ["admin", null, undefined, {}]) {
    assert.throws(() => passes(wrong as never, has), /need roles/);
  }
});
