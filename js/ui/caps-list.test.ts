/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CapRule } from "../lib/api-types";
import { capAdded, capChanged, capRemoved } from "./caps-list";
import { numberOf } from "./number-input";

const day: CapRule = { window: "day", weekday: null, maxCount: 5, maxCents: null };

test("a new cap takes a window that is free", () => {
  const five = [1, 2, 3, 4, 5].reduce<CapRule[]>((caps) => capAdded(caps), []);
  assert.deepEqual(
    five.map(({ window }) => window),
    ["day", "hour", "week", "month", "total"],
  );
  assert.deepEqual(capAdded(five).at(-1), { window: "day", weekday: 6, maxCount: null, maxCents: null });
});

test("only a day keeps its weekday", () => {
  const saturday = capChanged([day], 0, { weekday: 6 });
  assert.equal(saturday[0]?.weekday, 6);
  assert.deepEqual(capChanged(saturday, 0, { window: "week" }), [{ ...day, window: "week" }]);
  assert.deepEqual(capRemoved([day, ...saturday], 0), saturday);
});

test("numbers are typed, money in yuan, and what is none stays", () => {
  assert.deepEqual(
    ["", " 12 ", "12.5", "x"].map((typed) => numberOf(typed, false)),
    [null, 12, "12.5", "x"],
  );
  assert.deepEqual(
    ["", "5,000.5", "1.234"].map((typed) => numberOf(typed, true)),
    [null, 500050, "1.234"],
  );
});
