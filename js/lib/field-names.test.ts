/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./api";
import { lastPart, withLastParts } from "./field-names";

test("a field is called by the last part of its name", () => {
  assert.equal(lastPart("user.consent.textHash"), "textHash");
  assert.equal(lastPart("channelId"), "channelId");
});

test("a refusal keeps its messages under the shorter names", () => {
  const refused = withLastParts(new ApiError("1001", "wrong", { "user.applicant.age": "18 to 80", channelId: "Choose" })) as ApiError;
  assert.deepEqual([refused.code, refused.desc, refused.fields], ["1001", "wrong", { age: "18 to 80", channelId: "Choose" }]);
});

test("what names no field stays as it is", () => {
  for (const error of [new ApiError("1006", "not now", null), new Error("lost")]) assert.equal(withLastParts(error), error);
});
