/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { pageWindow } from "./page-window";

test("few pages are all there", () => {
  assert.deepEqual(pageWindow(1, 1), [1]);
  assert.deepEqual(pageWindow(3, 7), [1, 2, 3, 4, 5, 6, 7]);
});

test("many pages keep seven places", () => {
  assert.deepEqual(pageWindow(1, 20), [1, 2, 3, 4, 5, null, 20]);
  assert.deepEqual(pageWindow(10, 20), [1, null, 9, 10, 11, null, 20]);
  assert.deepEqual(pageWindow(20, 20), [1, null, 16, 17, 18, 19, 20]);
});

test("a page beyond the end is like the last", () => {
  assert.deepEqual(pageWindow(99, 20), [1, null, 16, 17, 18, 19, 20]);
});
