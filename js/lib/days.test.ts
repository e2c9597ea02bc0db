/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, addMonths, isDay, presets, readDay, weekday, weeksOf } from "./days";

test("days go on over months and years", () => {
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2028-03-01", -1), "2028-02-29");
  assert.equal(addMonths("2026-01-31", 1), "2026-02-28");
  assert.equal(addMonths("2026-01-31", -1), "2025-12-31");
  assert.equal(addMonths("2026-11-15", 2), "2027-01-15");
});

test("what is no day is refused", () => {
  for (const day of ["2026-02-28", "2028-02-29"]) assert.ok(isDay(day), day);
  for (const text of ["", "2026-02-30", "2026-13-01", "2026-1-5", "today", "20260105"]) assert.ok(!isDay(text), text);
});

test("days are read as people type them", () => {
  for (const typed of ["2026/1/5", "2026.01.05", "20260105", " 2026-01-05 ", "2026年1月5日"]) assert.equal(readDay(typed), "2026-01-05");
  assert.equal(readDay("5.1."), "5.1.");
});

test("a month is its weeks from Monday on", () => {
  assert.equal(weekday("2026-11-23"), 0);
  const weeks = weeksOf("2026-11-25");
  assert.equal(weeks.length, 6);
  assert.equal(weeks[0]![0], "2026-10-26");
  assert.equal(weeks[5]![6], "2026-12-06");
  assert.equal(weeksOf("2027-02-01").length, 4, "February from Monday to Sunday");
});

test("the stretches that are offered end today or before it", () => {
  assert.deepEqual(
    presets("2026-01-03").map(({ name, from, to }) => `${name} ${from} ${to}`),
    [
      "today 2026-01-03 2026-01-03",
      "yesterday 2026-01-02 2026-01-02",
      "week 2025-12-28 2026-01-03",
      "days30 2025-12-05 2026-01-03",
      "month 2026-01-01 2026-01-03",
      "lastMonth 2025-12-01 2025-12-31",
    ],
  );
});
