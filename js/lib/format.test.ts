/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytes,
  changeBp,
  compactDay,
  count,
  day,
  EMPTY,
  milliseconds,
  minute,
  money,
  moneyInput,
  parseMoney,
  percent,
  rateOf,
  shareBp,
  text,
  time,
} from "./format";

test("money is yuan with thousands and two decimals", () => {
  assert.equal(money(0), "0.00");
  assert.equal(money(5), "0.05");
  assert.equal(money(123456), "1,234.56");
  assert.equal(money(100_000_000_000), "1,000,000,000.00");
  assert.equal(money(-123456), "-1,234.56");
  assert.equal(money(-0.2), "0.00");
});

test("what is missing is a dash", () => {
  for (const show of [money, count, percent, time, minute, day]) {
    assert.equal(show(null), EMPTY);
    assert.equal(show(undefined), EMPTY);
    assert.equal(show(Number.NaN), EMPTY);
  }
  assert.equal(text(""), EMPTY);
  assert.equal(text(0), "0");
});

// S9.01
test("times are Shanghai's, over day, month and year ends", () => {
  const newYear = Date.UTC(2026, 11, 31, 16, 0, 9);
  assert.equal(time(newYear), "2027-01-01 00:00:09");
  assert.equal(minute(newYear), "2027-01-01 00:00");
  assert.equal(day(newYear - 10_000), "2026-12-31");
  assert.equal(compactDay(newYear), "20270101");
  assert.equal(time(0), "1970-01-01 08:00:00");
  assert.equal(time(8.7e15), EMPTY);
});

test("counts and shares", () => {
  assert.equal(count(1234567), "1,234,567");
  assert.equal(count(-1000), "-1,000");
  assert.equal(count(999), "999");
  assert.equal(percent(1250), "12.5%");
  assert.equal(percent(1), "0.01%");
});

test("typed amounts come back as fen, and what is no amount does not", () => {
  assert.equal(parseMoney("1,234.5"), 123450);
  assert.equal(parseMoney(" 0.07 "), 7);
  assert.equal(parseMoney("-3"), -300);
  assert.equal(parseMoney("1.005"), null);
  assert.equal(parseMoney("1e3"), null);
  assert.equal(parseMoney(""), null);
  assert.equal(moneyInput(123456), "1234.56");
  assert.equal(moneyInput(null), "");
});

test("durations and sizes of the machine are short", () => {
  assert.deepEqual([0, 0.1234, 12.34, 123.4, 1234, 65_000].map(milliseconds), ["0 ms", "0.12 ms", "12.3 ms", "123 ms", "1.23 s", "65 s"]);
  assert.deepEqual([0, 999, 1000, 5 << 20, 123_456_789, null].map(bytes), ["0 B", "999 B", "0.98 KB", "5 MB", "118 MB", "-"]);
});

test("a rate of few has no percentage", () => {
  assert.equal(rateOf(5000, 20), "50%");
  assert.equal(rateOf(5000, 19), EMPTY);
  assert.equal(rateOf(null, 30), EMPTY);
});

test("a change from less than twenty pieces or yuan has no percentage", () => {
  assert.equal(changeBp(30, 20, false), 5000);
  assert.equal(changeBp(10, 19, false), null);
  assert.equal(changeBp(10, 0, false), null);
  assert.equal(changeBp(1500, 2000, true), -2500);
  assert.equal(changeBp(3000, 1999, true), null);
  assert.equal(changeBp(-1000, -4000, true), 7500);
});

test("a part of fewer than twenty has no percentage", () => {
  assert.equal(shareBp(3, 40), 750);
  assert.equal(shareBp(3, 19), null);
});
