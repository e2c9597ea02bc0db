/// <reference types="node" />
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { md5 } from "./md5";

test("agrees with the platform's MD5 at every length around a block's end", () => {
  for (let length = 0; length <= 130; length++) {
    const text = "1380013800020261121".repeat(7).slice(0, length);
    assert.equal(md5(text), createHash("md5").update(text).digest("hex"), `length ${length}`);
  }
  assert.equal(md5("渠道"), createHash("md5").update("渠道").digest("hex"));
});
