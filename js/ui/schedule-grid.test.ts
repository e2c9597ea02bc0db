/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { isUnreadable, movedBy, painted, parseSpans, sameOn, slotState, spansText, UNREADABLE, withSpans } from "./schedule-grid";

test("a half hour is open, in part, or not", () => {
  const spans: [number, number][] = [
    [540, 615],
    [615, 630],
  ];
  assert.deepEqual(
    [17, 18, 19, 20, 21].map((slot) => slotState(spans, slot)),
    ["off", "on", "on", "on", "off"],
  );
  assert.equal(slotState([[540, 550]], 18), "part");
});

test("a rectangle is painted, from any corner", () => {
  const open = painted({}, { weekday: 2, slot: 19 }, { weekday: 1, slot: 18 }, true);
  assert.deepEqual(open, { 1: [[540, 600]], 2: [[540, 600]] });
  assert.deepEqual(painted(open, { weekday: 1, slot: 20 }, { weekday: 1, slot: 21 }, true)["1"], [[540, 660]]);
  const hole = painted({ 1: [[540, 1080]] }, { weekday: 1, slot: 24 }, { weekday: 1, slot: 25 }, false);
  assert.deepEqual(hole, {
    1: [
      [540, 720],
      [780, 1080],
    ],
  });
  assert.deepEqual(painted(open, { weekday: 1, slot: 0 }, { weekday: 7, slot: 47 }, false), {});
  assert.deepEqual(painted({ 1: [UNREADABLE] }, { weekday: 1, slot: 0 }, { weekday: 1, slot: 0 }, true), { 1: [[0, 30]] });
});

test("spans are typed as people write them", () => {
  assert.deepEqual(parseSpans(" 9:00-12:00， 13:30–18:00 "), [
    [540, 720],
    [810, 1080],
  ]);
  assert.deepEqual(parseSpans("00:00至24:00"), [[0, 1440]]);
  assert.deepEqual(parseSpans(""), []);
  for (const typed of ["9-12", "09:60-10:00", "x", "09:00", "09:00-10:00-11:00"]) assert.ok(isUnreadable(parseSpans(typed)), typed);
  assert.equal(
    spansText([
      [540, 720],
      [810, 1440],
    ]),
    "09:00-12:00, 13:30-24:00",
  );
  assert.equal(spansText([UNREADABLE]), "");
  assert.deepEqual(withSpans({ 1: [[0, 60]] }, 1, []), {});
  assert.deepEqual(sameOn([6, 7], [0, 60]), { 6: [[0, 60]], 7: [[0, 60]] });
});

test("keys lead from half hour to half hour and stay in the week", () => {
  const at = { weekday: 1, slot: 0 };
  assert.deepEqual(movedBy("ArrowLeft", at), at);
  assert.deepEqual(movedBy("ArrowUp", at), at);
  assert.deepEqual(movedBy("ArrowDown", at), { weekday: 2, slot: 0 });
  assert.deepEqual(movedBy("End", at), { weekday: 1, slot: 47 });
  assert.equal(movedBy("x", at), null);
});
