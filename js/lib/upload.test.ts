/** Types of files before they are sent. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fileName, FILES, isOfType, PICTURES } from "./upload";

test("a type is told by the end of a name", () => {
  for (const name of ["a.png", "照片.JPEG", "a.b.webp"]) assert.ok(isOfType(name, PICTURES), name);
  for (const name of ["a.svg", "png", "a.png.exe", "a.pdf", ""]) assert.ok(!isOfType(name, PICTURES), name);
  for (const name of ["合同.PDF", "a.xlsx", "合同.docx", "a.csv", "a.mp4"]) assert.ok(isOfType(name, FILES), name);
});

test("a file is called what it comes as", () => {
  assert.equal(fileName("attachment; filename=\"file-7.pdf\"; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf"), "合同.pdf");
  assert.equal(fileName('attachment; filename="statement-2026-01-7.pdf"'), "statement-2026-01-7.pdf");
  assert.equal(fileName(""), undefined);
});
