/** The forms of phones, identity numbers and amounts, as `crates/base/src/canonical.rs` tests them. */
/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { amount, code, hasUnit, idNo, integer, joined, phone, trimmed, visible } from "./canonical";
import cases from "./canonical.cases.json";
import { readDay } from "./days";

test("the cases of both sides hold", () => {
  for (const [written, read] of cases.phone) assert.equal(phone(written!), read, written!);
  for (const [written, read] of cases.integer) assert.equal(integer(written as string), read, written as string);
  for (const [written, read] of cases.paperNo) assert.equal(code(written!), read, written!);
  for (const [written, read] of cases.day) if (read !== null) assert.equal(readDay(written!), read, written!);
  const listed = cases.invisible.map((ends) => ends.map((end) => Number.parseInt(end, 16)));
  for (let at = 0; at <= 0x10ffff; at++) {
    const isListed = listed.some(([first, last]) => first! <= at && at <= last!);
    if ((visible(`x${String.fromCodePoint(at)}x`) === "xx") !== isListed) assert.fail(at.toString(16));
  }
  assert.equal(visible("\u200b海\u200d豚 \ufeff"), "海豚");
});

test("phones and identity numbers are brought into one form", () => {
  for (const written of [
    "+86 100 0003 0001",
    "0086-10000030001",
    "86-10000030001",
    "(100).0003.0001",
    "１０００００３０００１",
    "١٠٠ ٠٠٠٣ ٠٠٠١",
    "𝟏𝟎𝟎𝟎𝟎𝟎𝟑𝟎𝟎𝟎𝟏",
    "\u202a100\u00a00003\u20090001\u202c",
  ])
    assert.equal(phone(written), "10000030001", written);
  for (const wrong of ["", "1000003000", "20000030001", "+1 10000030001"]) assert.equal(phone(wrong), null, wrong);
  assert.equal(idNo(" 110105 19491231 002x"), "11010519491231002X");
  assert.equal(idNo("11010519491231002"), null);
  assert.equal(joined("７４８ １-２３"), "748123");
});

test("amounts are read as people write them", () => {
  for (const written of ["5000", "5，000", "¥5000", "￥5,000.00", "5000元", "5 000", "5000.", "５０００"])
    assert.equal(amount(written), 500_000, written);
  assert.equal(amount(".5"), 50);
  for (const wrong of ["", ".", "5万", "-1", "50,00", "1.005", "1e5", "9999999999999"]) assert.equal(amount(wrong), null, wrong);
  assert.deepEqual(["5万", "1.2亿元", "5000", "x万"].map(hasUnit), [true, true, false, false]);
});

test("whole numbers, numbers on paper and texts", () => {
  for (const written of ["5000", " 5,000 ", "5，０００", "5 000"]) assert.equal(integer(written), 5000, written);
  assert.equal(integer("-12"), -12);
  for (const wrong of ["", "5.", "5.5", "50,00", "1e3", "1234567890123456"]) assert.equal(integer(wrong), null, wrong);
  assert.equal(code("６２２２ 0210-0111\u200b 6245"), "6222021001116245");
  assert.equal(trimmed("\u200b\u3000某某\u200d某 \u2060"), "某某\u200d某");
});
