/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { MatchDetail } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { outcomeOf } from "./outcome";

const t = translator(texts["zh-CN"]);
const outcome = (fields: Partial<MatchDetail>) =>
  outcomeOf(
    {
      direction: "round",
      status: "no_plan",
      channelName: "甲",
      planName: null,
      orgName: null,
      bidCents: null,
      costMs: 12,
      passedOver: [],
      ...fields,
    } as MatchDetail,
    t,
  );

const passedOver = [
  {
    reason: "city",
    plans: [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ],
    conditions: [],
  },
] as MatchDetail["passedOver"];

test("a round says which plan bought the lead, or why none did", () => {
  const bought = { status: "matched", planName: "上班族", orgName: "北辰", bidCents: 4500 } as const;
  assert.equal(outcome(bought), "匹配成功：计划“上班族”（北辰）买下，出价 45.00 元。");
  assert.equal(outcome({ passedOver }), "无可用计划：这一轮没有计划买下。 未选用 2 个计划：城市不符 2。");
});

test("a round names the conditions that the applicant did not meet", () => {
  const plans = [1, 2, 3, 4, 5].map((id) => ({ id, name: `plan ${id}` }));
  const failed = ["年龄 ≤ 55", "申请金额 ≥ 30,000 元", "有房", "有车"].map((text, i) => ({ text, planIds: i === 0 ? [1, 2] : [i + 2] }));
  assert.equal(
    outcome({ passedOver: [{ reason: "rules", plans, conditions: failed }] }),
    "无可用计划：这一轮没有计划买下。 未选用 5 个计划：条件不符 5（“年龄 ≤ 55”2、“申请金额 ≥ 30,000 元”1、“有房”1）。",
  );
});

test("a question says who asked, and the answer", () => {
  assert.equal(
    outcome({ direction: "inbound", passedOver }),
    "渠道“甲”询问是否接收该申请人，答复：无可用计划。 未选用 2 个计划：城市不符 2。",
  );
  const asked = { direction: "outbound", status: "timeout", planName: "上班族", orgName: "北辰" } as const;
  assert.equal(outcome(asked), "为计划“上班族”询问机构“北辰”，答复：超时，用时 12 毫秒。");
});
