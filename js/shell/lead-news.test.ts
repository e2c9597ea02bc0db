/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { afterAnswer, type LeadNews } from "./lead-news";

/** The counts that are news, of answers that arrive one after the other; `closes`: the user closes each notification. */
function newsIn(counts: number[], closes: boolean): number[] {
  let note: LeadNews | null = null;
  const newCounts: number[] = [];
  for (const count of counts) {
    const { news, isNew } = afterAnswer(note, 7, count);
    assert.ok(!isNew || news.isOpen);
    if (isNew) newCounts.push(count);
    note = closes ? { ...news, isOpen: false } : news;
  }
  return newCounts;
}

// S9.06
test("only more leads than last time are news, or any after there were none", () => {
  assert.deepEqual(newsIn([0, 0], true), []);
  assert.deepEqual(newsIn([2, 2, 2], true), [2]);
  assert.deepEqual(newsIn([2, 3, 3, 1, 1, 2], true), [2, 3, 2]);
  assert.deepEqual(newsIn([2, 0, 2], true), [2, 2]);
});

test("a notification stays open whatever the count does, and a closed one stays closed", () => {
  const open: LeadNews = { viewer: 7, count: 2, isOpen: true };
  assert.deepEqual(afterAnswer(open, 7, 0).news, { viewer: 7, count: 0, isOpen: true });
  assert.deepEqual(afterAnswer({ ...open, isOpen: false }, 7, 1).news, { viewer: 7, count: 1, isOpen: false });
});

test("another person's note counts for nothing", () => {
  const { news, isNew } = afterAnswer({ viewer: 6, count: 9, isOpen: true }, 7, 1);
  assert.ok(isNew);
  assert.deepEqual(news, { viewer: 7, count: 1, isOpen: true });
  assert.deepEqual(afterAnswer({ viewer: 6, count: 9, isOpen: true }, 7, 0).news, { viewer: 7, count: 0, isOpen: false });
});
