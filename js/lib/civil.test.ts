/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { clockOf, dateOf, secondsOf } from "./civil";

test("dates and times are those of Date", () => {
  const moments = [
    0,
    -1,
    951_782_400_000,
    951_868_800_000,
    4_107_542_400_000,
    Date.UTC(10_000, 0, 1) - 1,
    Date.UTC(2000, 0, 1) - 730_485 * 86_400_000,
  ];
  for (let i = 0; i < 20_000; i++) moments.push(Math.floor(Math.sin(i) * 8e12) + i * 997, 1.7e12 + i * 86_399_123);
  for (const ms of moments) {
    const iso = new Date(ms).toISOString();
    assert.equal(`${dateOf(ms)}T${clockOf(ms)}:${secondsOf(ms)}`, iso.slice(0, 19), String(ms));
  }
});

test("other moments have no date", () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(10_000, 0, 1), Date.UTC(2000, 0, 1) - 730_486 * 86_400_000]) {
    assert.equal(dateOf(ms), null);
  }
});
