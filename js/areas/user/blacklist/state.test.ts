/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { BlacklistNow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
const state = (fields: Partial<BlacklistNow>) =>
  stateOf(
    {
      kind: "phone",
      scope: "global",
      scopeName: null,
      status: "active",
      expiresAt: null,
      expired: false,
      liftReason: null,
      hitCount: 0,
      lastHitAt: null,
      ...fields,
    } as BlacklistNow,
    t,
  );

const AT = Date.UTC(2027, 0, 7, 2);

test("the state of an active entry says where it refuses applicants, and until when", () => {
  assert.equal(state({}), "生效：拦截所有渠道的申请，不分发给任何机构（按手机号）。 长期有效。 还没有拦截过。");
  assert.match(
    state({ scope: "channel", scopeName: "甲", expiresAt: AT }),
    /^生效：拦截渠道“甲”的申请（按手机号）。 2027-01-07 10:00:00 到期。/,
  );
  assert.match(state({ scope: "organisation", scopeName: "北辰", kind: "ip" }), /^生效：不分发给机构“北辰”（按IP.*）。/);
});

test("an entry that is lifted or expired blocks no applicants", () => {
  assert.match(state({ status: "lifted", liftReason: "误报" }), /^已解除（误报）：不再拦截。/);
  assert.match(state({ expiresAt: AT, expired: true }), /^生效，但已于 2027-01-07 10:00:00 到期：不再拦截。/);
  assert.match(state({ hitCount: 2, lastHitAt: AT }), /已拦截 2 次，最近一次在 2027-01-07 10:00:00。$/);
});
