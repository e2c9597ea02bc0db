/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";
import { exceptionKindCodes } from "../lib/codes";

const { "zh-CN": inChinese, "en-US": inEnglish } = texts;

// S8.11: tests/e2e/projects.test.mjs sees the Chinese text of the same key.
test("a form that is not sent shows the words of the specification", () => {
  assert.equal(inEnglish["ui.submitFailed"], "Submit form error");
});

test("each payment exception is named among the results of notifications", () => {
  // A refund that is stuck is known by a query, not by a notification.
  const kinds = exceptionKindCodes.filter((kind) => kind !== "refund_stuck");
  for (const messages of [inChinese, inEnglish] as Readonly<Record<string, string>>[]) {
    for (const kind of kinds) assert.ok(messages[`paymentOrder.noticeResult.${kind}`], kind);
  }
});
