/** Names of files that are downloaded. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fileName } from "./save-file";

test("a file has the name of the answer's header", () => {
  assert.equal(fileName("attachment; filename=\"file-7.pdf\"; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf"), "合同.pdf");
  assert.equal(fileName('attachment; filename="statement-2026-01-7.pdf"'), "statement-2026-01-7.pdf");
  assert.equal(fileName(""), undefined);
});
