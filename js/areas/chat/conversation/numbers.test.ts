import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf } from "./numbers";

test("phones and numbers of records are found where they stand", () => {
  const numbers = (text: string) => partsOf(text).flatMap(({ text, from }) => (from === null ? [] : [[text, from]]));
  assert.deepEqual(numbers("没有人联系我，手机 10000049804。"), [["10000049804", 10]]);
  assert.deepEqual(numbers("😀 138****5678, 139-****-4321"), [
    ["138****5678", 2],
    ["139-****-4321", 15],
  ]);
  assert.deepEqual(numbers("申请U20261127-AB12CD34 和 ps20261127-x1y2z3w4"), [
    ["U20261127-AB12CD34", 2],
    ["ps20261127-x1y2z3w4", 23],
  ]);
  // An identity number, an account and an amount are none.
  for (const other of ["1101***********023", "6222021234567890123", "100000.00", "U2026", ""]) assert.deepEqual(numbers(other), [], other);
  assert.equal(
    partsOf("a 13812345678 b")
      .map(({ text }) => text)
      .join(""),
    "a 13812345678 b",
  );
});
