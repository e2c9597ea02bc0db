/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsBehind } from "./rows-behind";

const row = { firstDay: "2026-03-01", lastDay: "2026-03-07", subjectId: 5, system: null, star: null };
const around = { by: "channel", opensLeads: true, opensFeedback: true, filters: {} } as const;

test("people and leads open their own lists, for the days of the row", () => {
  assert.deepEqual(rowsBehind("applicants", row, around), {
    href: "/user/list?channelId=5&test=no&createdFrom=2026-03-01&createdTo=2026-03-07",
    point: "user/list/list",
  });
  assert.deepEqual(rowsBehind("returns", row, { ...around, by: "product", filters: { orgId: "7", channelId: "9" } }), {
    href: "/plan/push-list?channelId=9&orgId=7&productId=5&test=no&returnStatus=approved&soldFrom=2026-03-01&soldTo=2026-03-07",
    point: "plan/push-list/list",
  });
});

test("other figures, and all of one system, open the daily figures", () => {
  const days = "dayFrom=2026-03-01&dayTo=2026-03-07";
  assert.equal(rowsBehind("visits", row, around)?.href, `/channel/uv-list?subjectId=5&${days}`);
  assert.equal(rowsBehind("sales", row, { ...around, opensLeads: false })?.href, `/channel/uv-list?subjectId=5&${days}`);
  assert.equal(
    rowsBehind("sales", row, { ...around, filters: { system: "ios" } })?.href,
    `/channel/uv-list?subjectId=5&system=ios&${days}`,
  );
  const system = { ...row, subjectId: 0, system: "ios" } as const;
  assert.equal(
    rowsBehind("applicants", system, { by: "system", opensLeads: false, opensFeedback: false, filters: { channelId: "9" } })?.href,
    `/channel/uv-list?subjectId=9&system=ios&${days}`,
  );
  assert.equal(
    rowsBehind("sales", system, { by: "org", opensLeads: false, opensFeedback: false, filters: {} })?.href,
    `/org/uv-list?system=ios&${days}`,
  );
});

test("a total opens the rows of all subjects, or of the one that is chosen", () => {
  const total = { ...row, subjectId: 0 };
  assert.equal(rowsBehind("sales", total, around)?.href, "/plan/push-list?test=no&soldFrom=2026-03-01&soldTo=2026-03-07");
  assert.equal(
    rowsBehind("sales", total, { ...around, filters: { subjectId: "5" } })?.href,
    "/plan/push-list?channelId=5&test=no&soldFrom=2026-03-01&soldTo=2026-03-07",
  );
  assert.equal(
    rowsBehind("sales", total, { ...around, by: "product" })?.href,
    "/product/uv-list?dayFrom=2026-03-01&dayTo=2026-03-07",
    "leads without a product are no row's",
  );
});

test("offers, feedback, clues and money open their lists", () => {
  const created = "createdFrom=2026-03-01&createdTo=2026-03-07";
  assert.equal(rowsBehind("refused", row, around)?.href, `/plan/push-list?channelId=5&test=no&status=rejected&${created}`);
  assert.equal(rowsBehind("testSales", row, around)?.href, "/plan/push-list?channelId=5&test=yes&soldFrom=2026-03-01&soldTo=2026-03-07");
  assert.equal(
    rowsBehind("stars0", row, { ...around, by: "org", filters: { channelId: "9" } })?.href,
    `/user/feedback-list?channelId=9&orgId=5&star=0&test=no&${created}`,
  );
  assert.equal(rowsBehind("signed", row, around)?.href, `/crm/clue?channelId=5&reached=signed&test=no&${created}`);
  assert.equal(
    rowsBehind("moneyCents", row, { ...around, by: "org" })?.href,
    "/crm/money?orgId=5&status=confirmed&paidFrom=2026-03-01&paidTo=2026-03-07",
  );
  assert.equal(
    rowsBehind("moneyCents", row, { ...around, by: "org", filters: { channelId: "9" } }),
    null,
    "money is not listed by channel",
  );
});

test("returns by the day of their decision open the returns that were decided then, and money opens nothing", () => {
  const decision = { ...around, filters: { returnsBy: "decision" } };
  assert.equal(
    rowsBehind("returns", row, decision)?.href,
    "/plan/push-list?channelId=5&test=no&returnStatus=approved&decidedFrom=2026-03-01&decidedTo=2026-03-07",
  );
  assert.equal(rowsBehind("incomeCents", row, decision), null);
  assert.equal(rowsBehind("visits", row, decision)?.point, "channel/uv-list/list");
});

test("stars open the rows of applicants with so many, and those without any", () => {
  const unrated = { ...row, subjectId: 0, star: -1 };
  const score = { ...around, by: "score" } as const;
  assert.equal(rowsBehind("applicants", unrated, score)?.href, "/user/list?star=-1&test=no&createdFrom=2026-03-01&createdTo=2026-03-07");
  assert.equal(
    rowsBehind("sales", unrated, { ...score, filters: { orgId: "7" } })?.href,
    "/plan/push-list?orgId=7&userStar=-1&test=no&soldFrom=2026-03-01&soldTo=2026-03-07",
  );
  assert.equal(rowsBehind("costCents", unrated, score), null);
});
