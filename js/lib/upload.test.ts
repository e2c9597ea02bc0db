/** Types of files before they are sent. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { FILES, isOfType, PICTURES } from "./upload";

test("a type is told by the end of a name", () => {
  for (const name of ["a.png", "照片.JPEG", "a.b.webp"]) assert.ok(isOfType(name, PICTURES), name);
  for (const name of ["a.svg", "png", "a.png.exe", "a.pdf", ""]) assert.ok(!isOfType(name, PICTURES), name);
  for (const name of ["合同.PDF", "a.xlsx", "合同.docx", "a.csv", "a.mp4"]) assert.ok(isOfType(name, FILES), name);
});
