/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { SmsRow } from "../../../lib/api-types";
import { smsStateCodes } from "../../../lib/codes";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
/** 2026-01-01 in Shanghai. */
const DAY = 1_767_196_800_000;
const state = (fields: Partial<SmsRow>) => stateOf({ lastError: null, acceptedAt: DAY, reportedAt: DAY, ...fields } as SmsRow, t);

test("the state of a short message says whether it arrived and what can be done", () => {
  assert.equal(state({ state: "accepted" }), "已提交：2026-01-01 00:00 已交出，还没有收到送达回执。");
  assert.equal(state({ state: "failed", kind: "code", expiresAt: DAY }), "发送失败：验证码已过期，不再重发，可以放弃。");
  assert.equal(state({ state: "failed" }), "发送失败：可以再试一次或放弃。");
  assert.match(state({ state: "failed", lastError: "timeout" }), /^发送失败（.+）：可以再试一次或放弃。$/);
  const all = smsStateCodes.map((code) => state({ state: code }));
  assert.equal(new Set(all).size, smsStateCodes.length, "a sentence for each state");
});
