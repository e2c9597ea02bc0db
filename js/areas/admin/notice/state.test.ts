/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { NoticeRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
/** 2026-01-01 in Shanghai. */
const DAY = 1_767_196_800_000;
const state = (fields: Partial<NoticeRow>) =>
  stateOf({ status: "published", scope: "all", audience: null, publishAt: DAY, expiresAt: null, ...fields } as NoticeRow, t);

test("the state of an announcement says who sees it and when", () => {
  assert.equal(state({}), "已发布：所有人可见。");
  assert.equal(state({ scope: "role", audience: "运营", expiresAt: DAY }), "已发布：运营可见，到 2026-01-01 00:00 为止。");
  assert.equal(state({ status: "scheduled" }), "待发布：2026-01-01 00:00 起所有人可见。");
  assert.equal(state({ status: "expired", expiresAt: DAY }), "已过期：2026-01-01 00:00 起不再显示。");
  assert.equal(state({ status: "withdrawn" }), "已撤回：收件人已看不到。");
});
