/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { FeedbackRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
const feedback = (fields: Partial<FeedbackRow>) =>
  ({
    handleStatus: "open",
    handlerName: null,
    handledAt: null,
    callbackStatus: "none",
    callbackAttempts: 0,
    channelName: "甲",
    sentToChannelAt: null,
    ...fields,
  }) as FeedbackRow;

test("the state says how far feedback was handled, and names the account", () => {
  assert.match(stateOf(feedback({}), t, true), /^待处理：还没有人处理。 渠道“甲”没有回调地址，无需回传。$/);
  const handled = { handlerName: "小何", handledAt: Date.UTC(2027, 0, 7, 2) };
  assert.match(stateOf(feedback({ ...handled, handleStatus: "in_progress" }), t, true), /^处理中：小何于 2027-01-07 10:00.* 开始处理。/);
  assert.match(stateOf(feedback({ ...handled, handleStatus: "done" }), t, true), /^已处理：小何于 .+ 处理完成。/);
  assert.match(stateOf(feedback({ ...handled, handleStatus: "closed" }), t, true), /^已关闭：小何于 .+ 关闭。/);
});

test("a callback that needs a decision says what to do to people who decide", () => {
  for (const [callbackStatus, said] of [
    ["failed", "向渠道“甲”回传失败，已尝试 4 次。"],
    ["unconfirmed", "试了 4 次，不能确定渠道“甲”是否收到回传。"],
  ] as const) {
    const row = feedback({ callbackStatus, callbackAttempts: 4 });
    assert.ok(stateOf(row, t, true).endsWith(`${said} 请重新回传，或放弃回传。`));
    assert.doesNotMatch(stateOf(row, t, false), /请重新回传/);
  }
  assert.match(stateOf(feedback({ callbackStatus: "waiting" }), t, true), /等待回传给渠道“甲”，已试 0 次。$/);
  assert.match(stateOf(feedback({ callbackStatus: "given_up" }), t, true), /已放弃回传给渠道“甲”。$/);
});
