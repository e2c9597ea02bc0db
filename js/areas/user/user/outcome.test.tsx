/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { texts } from "virtual:texts";

import type { PassedOver, PushStory, UserStory } from "../../../lib/api-types";
import { AppContext } from "../../../lib/app-context";
import { translator } from "../../../lib/i18n";
import { Outcome } from "./outcome";

/** The sentence about an applicant, for a viewer who holds some points. */
function sentence(story: Partial<UserStory>, locale: "zh-CN" | "en-US" = "zh-CN", points: readonly string[] = []): string {
  const context = { props: { locale }, t: translator(texts[locale]), role: { points: new Set(points) } } as never;
  const whole = {
    checks: [],
    matches: [],
    pushes: [],
    consentWithdrawnAt: null,
    blacklisted: null,
    blacklistEntryId: null,
    invalidReason: null,
    ...story,
  } as never;
  return renderToStaticMarkup(
    <AppContext.Provider value={context}>
      <Outcome story={whole} />
    </AppContext.Provider>,
  );
}

const round = (counts: Partial<Record<PassedOver, number>>) =>
  [
    {
      direction: "round",
      passedOver: Object.entries(counts).map(([reason, count]) => ({
        reason,
        plans: Array.from({ length: count }, (_, id) => ({ id })),
        conditions: [],
      })),
    },
  ] as never;

const push = (fields: Partial<PushStory>) =>
  ({ id: 1, orgName: "北辰", planId: 7, planName: "上班族", priceCents: 4500, ...fields }) as PushStory;

test("a sentence says why no plan bought the lead", () => {
  const story: Partial<UserStory> = { status: "unmatched", matches: round({ consent: 21, city: 18, capped: 1, rules: 1 }) };
  assert.equal(sentence(story), '<p class="mb-4">未匹配：41 个计划中 授权未包含该机构 21、城市不符 18、量满 1、条件不符 1。</p>');
  assert.match(sentence(story, "en-US"), /Plans not chosen: 41 \(Not named in the consent 21, City not accepted 18, /);
  assert.match(sentence({ ...story, matches: null }), />未匹配。</);
  assert.match(sentence({ ...story, matches: round({}) }), />未匹配：没有投放中的计划。</);
  const refused = sentence({ ...story, matches: round({ duplicate: 1 }), pushes: [push({ status: "rejected" })] });
  assert.match(refused, /已向该机构推送过 1。曾推送给北辰（上班族，45.00 元、拒收）/);
  assert.match(sentence({ ...story, consentWithdrawnAt: 1 }), /授权已撤回，不再分发。<\/p>$/);
});

test("a sentence says who bought the lead, with a link for viewers who may open the plan", () => {
  const story: Partial<UserStory> = { status: "distributed", pushes: [push({ status: "accepted" })] };
  assert.match(sentence(story), />已分发：售给北辰（上班族，45.00 元）。</);
  assert.match(sentence(story, "zh-CN", ["plan/list/view"]), /<a class="ll-link underline" href="\/plan\/list\/7">上班族<\/a>/);
  assert.match(sentence({ ...story, pushes: null }), />已分发。</);
});

test("a sentence says which check stopped the applicant", () => {
  const check = { check: "dedup", outcome: "fail", noteZh: "30 天内已申请过", noteEn: "Applied within 30 days" } as const;
  assert.match(sentence({ status: "duplicate", checks: [check] }), /重复：未通过去重检查（30 天内已申请过）。/);
  assert.match(sentence({ status: "invalid", invalidReason: "no_demand" }), /无效：由员工标记，无贷款需求。/);
  assert.match(sentence({ status: "erased", blacklisted: "不会再分发" }), /已注销。<\/p><p class="ll-alert/);
  const listed: Partial<UserStory> = { status: "blocked", blacklisted: "在黑名单中" };
  assert.doesNotMatch(sentence(listed), /black-list/);
  assert.match(sentence({ ...listed, blacklistEntryId: 3 }), /在黑名单中 <a class="ll-link underline" href="\/user\/black-list\/3">/);
});
