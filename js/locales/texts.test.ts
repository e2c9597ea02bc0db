/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { messages } from "./en-US/index";

// S8.11: tests/e2e/projects.test.mjs sees the Chinese text of the same key.
test("a form that is not sent is told in the words of the specification", () => {
  assert.equal(messages["ui.submitFailed"], "Submit form error");
});
