import assert from "node:assert/strict";
import { test } from "node:test";

import type { ConversationRow, ChatMessageRow } from "../../../lib/api-types";
import { asksFor, belongsTo, hasMaskedNote, isMasked, NO_NEWS, newest, rowsOf, threadOf, wholeOf, withEvents, withWhole } from "./state";

const row = (id: number, more: Partial<ConversationRow> = {}) =>
  ({ id, version: 1, status: "open", staffId: 7, unread: 0, waitingSince: null, lastMessageAt: id, ...more }) as ConversationRow;
const message = (id: number, more: Partial<ChatMessageRow> = {}) =>
  ({ id, conversationId: 1, content: `m${id}`, recalled: false, ...more }) as ChatMessageRow;
const event = (number: number, message: ChatMessageRow) => ({ number, conversationId: message.conversationId, message });

test("events add messages once and in order", () => {
  const events = { conversations: [row(1, { version: 3 })], events: [event(5, message(3)), event(6, message(2))], gone: [] };
  const news = withEvents(withEvents(NO_NEWS, events), events);
  assert.deepEqual(
    threadOf([message(1), message(2)], news, 1).map(({ id }) => id),
    [1, 2, 3],
  );
  assert.deepEqual(
    threadOf([message(9)], news, 2).map(({ id }) => id),
    [9],
  );
});

test("a recalled message stays recalled", () => {
  const news = withEvents(NO_NEWS, { conversations: [], gone: [], events: [event(1, message(1, { recalled: true, content: "" }))] });
  assert.equal(threadOf([message(1)], news, 1)[0]?.recalled, true);
  assert.equal(
    threadOf(
      [message(1, { recalled: true, content: "" })],
      withEvents(NO_NEWS, { conversations: [], gone: [], events: [event(1, message(1))] }),
      1,
    )[0]?.content,
    "",
  );
});

test("the newest state of a conversation counts, whichever comes last", () => {
  const news = withEvents(NO_NEWS, { conversations: [row(1, { version: 2 })], events: [], gone: [] });
  assert.equal(newest(row(1, { version: 3 }), news).version, 3);
  assert.equal(newest(row(1, { version: 1 }), news).version, 2);
  assert.equal(withEvents(news, { conversations: [row(1, { version: 1 })], events: [], gone: [] }).rows.get(1)?.version, 2);
});

test("rows come, move up and leave", () => {
  const mine = belongsTo({ box: "mine", id: "4" }, 7);
  assert.ok(mine);
  const changes = [row(2, { lastMessageAt: 9, version: 2 }), row(5), row(6, { staffId: 8 }), row(3, { status: "resolved", version: 2 })];
  const news = withEvents(NO_NEWS, { conversations: changes, events: [], gone: [4] });
  assert.deepEqual(
    rowsOf([row(4), row(3), row(2)], news, mine).map(({ id }) => id),
    [2, 5],
  );
  assert.equal(belongsTo({ keyword: "a" }, 7), null);
});

test("who waits longest stands on top, and what is put off waits for no one", () => {
  const rows = [
    row(1),
    row(2, { waitingSince: 50 }),
    row(3, { waitingSince: 40 }),
    row(4, { waitingSince: 30, status: "snoozed" }),
    row(5),
  ];
  assert.deepEqual(
    rowsOf(rows, NO_NEWS, () => true).map(({ id }) => id),
    [3, 2, 5, 4, 1],
  );
});

test("a conversation asks for those who can answer it", () => {
  assert.equal(asksFor(row(1, { status: "queued", staffId: null }), null), true);
  assert.equal(asksFor(row(1, { unread: 2 }), 7), true);
  assert.equal(asksFor(row(1, { unread: 2, staffId: 8 }), 7), false);
  assert.equal(asksFor(row(1, { unread: 2, staffId: null }), null), false);
});

test("whole texts are added to those that were revealed before, and fit what is shown", () => {
  const texts = (id: number, closeNote: string | null) => ({
    messages: [{ id, text: `13812345678 ${id}` }],
    transfers: [],
    closeNote,
    ratingNote: null,
    remark: null,
  });
  const revealed = withWhole(withWhole(null, texts(1, null)), texts(2, "电话 138-1234-5678"));
  assert.deepEqual([...revealed.messages.keys()], [1, 2]);
  assert.equal(wholeOf("电话 138-****-5678", revealed.closeNote), "电话 138-1234-5678");
  for (const other of ["电话 139-****-5678", "已回访", ""]) assert.equal(wholeOf(other, revealed.closeNote), other);
  assert.equal(wholeOf("电话 138****5678", null), "电话 138****5678");
  assert.deepEqual(["138****5678", "1 3 8 * * * * 5 6 7 8", "5 * 4 = 20", ""].map(isMasked), [true, true, false, false]);
  const closed = row(1, { closeNote: "电话 138-****-5678", ratingNote: "" });
  assert.equal(hasMaskedNote(closed, null, [], null), true);
  assert.equal(hasMaskedNote(closed, null, [], revealed), false);
});
