/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { AdminRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
const state = (fields: Partial<AdminRow>) => stateOf({ status: "enabled", mustChangePwd: false, lastLoginAt: 1, ...fields } as AdminRow, t);

test("the state of an account says whether its person can log in", () => {
  assert.equal(state({}), "启用：可以登录。");
  assert.equal(state({ mustChangePwd: true }), "启用：可以登录，登录后须先修改密码。");
  assert.equal(state({ status: "locked", mustChangePwd: true }), "锁定：密码多次输错，暂时不能登录，解锁后可立即登录。");
  assert.equal(state({ status: "disabled" }), "停用：不能登录。");
  assert.equal(state({ lastLoginAt: null }), "启用：可以登录。 还没有登录过。");
});
