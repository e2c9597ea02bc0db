/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { CapUsage, ChannelNow, ChannelTest } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
const channel = (fields: Partial<ChannelNow>) =>
  ({ status: "enabled", mode: "live", settleMode: "registered", unitPriceCents: 500, usage: [], ...fields }) as ChannelNow;
const lead = (fields: Partial<ChannelTest>) => ({ passed: true, current: true, ...fields }) as ChannelTest;
const used = (usedCount: number, usedCents: number) =>
  ({ cap: { window: "day", weekday: null, maxCount: 10, maxCents: 10_000 }, usedCount, usedCents }) as CapUsage;

test("the state of a live channel says whether its leads are distributed and settled", () => {
  assert.equal(stateOf(channel({}), null, t), "启用：线索参与分发和结算。");
  assert.equal(stateOf(channel({ settleMode: "none" }), null, t), "启用：线索参与分发，不结算。");
  assert.equal(stateOf(channel({ status: "paused" }), null, t), "暂停：不接收这个渠道的流量。");
  assert.equal(stateOf(channel({ status: "disabled" }), null, t), "停用：对方的请求都会被拒绝。");
});

test("a cap without room for one more lead is named", () => {
  assert.match(stateOf(channel({ usage: [used(9, 9_500)] }), null, t), /^启用：线索/);
  for (const full of [used(10, 0), used(0, 9_501)]) {
    assert.match(stateOf(channel({ usage: [full] }), null, t), /^启用：已达量控上限（每天最多 .+），暂不接收线索。$/);
  }
});

test("the state of a channel in test mode says what it lacks to go live", () => {
  const state = (latest: ChannelTest | null) => stateOf(channel({ mode: "test" }), latest, t);
  assert.match(state(null), /^启用：接收这个渠道的流量。 测试模式：.+。 还没有测试线索，通过一次后才能转为正式。$/);
  assert.match(state(lead({ passed: false })), /没有通过，不能转为正式。$/);
  assert.match(state(lead({ current: false })), /须重新测试才能转为正式。$/);
  assert.match(state(lead({})), /已通过，可以转为正式。$/);
});
