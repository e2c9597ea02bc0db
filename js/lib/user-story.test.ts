/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedbackRow, LedgerLine, MatchDetail, PassedOver, PushStory, ReturnRow, UserStory } from "./api-types";
import { earnedOf, eventsOf, goesOn, outcomeOf } from "./user-story";

const match = (fields: Partial<MatchDetail>) => ({ costMs: 0, ...fields }) as MatchDetail;
const story = (fields: Partial<UserStory>) =>
  ({ createdAt: 1000, checks: [], matches: [], pushes: [], money: [], feedback: [], returns: [], ...fields }) as unknown as UserStory;

test("a story is told in the order of time, a round before what came of it", () => {
  const events = eventsOf(
    story({
      checks: [{ check: "fields", outcome: "pass", noteZh: "", noteEn: "" }],
      matches: [
        match({ direction: "outbound", createdAt: 1010 }),
        match({ direction: "round", createdAt: 1100, costMs: 95 }),
        match({ direction: "round", createdAt: 9000, costMs: 10 }),
      ],
      pushes: [{ createdAt: 1050 } as PushStory],
      money: [{ at: 1050 } as LedgerLine, { at: 8000 } as LedgerLine],
      feedback: [{ createdAt: 1050 } as FeedbackRow],
      returns: [{ createdAt: 7000 } as ReturnRow],
    }),
  );
  const shown = events.map((event) => (event.kind === "round" ? `round ${event.number} ${event.at}` : event.kind));
  assert.deepEqual(shown, ["came", "checked", "round 1 1005", "asked", "sold", "paid", "said", "returned", "paid", "round 2 8990"]);
});

test("a round did not begin before he came, and one who was told of again has no checks", () => {
  const events = eventsOf(story({ matches: [match({ direction: "round", createdAt: 1001, costMs: 50 })] }));
  assert.deepEqual(
    events.map(({ kind, at }) => [kind, at]),
    [
      ["came", 1000],
      ["round", 1000],
    ],
  );
});

test("of parts that are not for the viewer nothing is told", () => {
  const events = eventsOf(story({ matches: null, pushes: null, money: null, feedback: null, returns: null }));
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ["came"],
  );
  assert.ok(!goesOn({ status: "distributed", pushes: null }));
  assert.ok(goesOn({ status: "matching", pushes: null }));
});

test("what organisations paid and got back is added up", () => {
  const line = (amountCents: number) => ({ amountCents }) as LedgerLine;
  assert.equal(earnedOf([]), null);
  assert.equal(earnedOf([line(-6000), line(-4500), line(6000)]), 4500);
});

test("a story goes on while plans are looked for or a lead is on its way", () => {
  const push = (status: PushStory["status"]) => ({ status }) as PushStory;
  assert.ok(goesOn({ status: "matching", pushes: [] }));
  assert.ok(goesOn({ status: "distributed", pushes: [push("accepted"), push("sending")] }));
  assert.ok(!goesOn({ status: "distributed", pushes: [push("accepted"), push("retrying")] }));
});

test("the sentence names the buyers, else the latest round, else the check that stopped the applicant", () => {
  const push = (status: PushStory["status"]) => ({ status }) as PushStory;
  const round = (counts: Partial<Record<PassedOver, number>>) =>
    match({
      direction: "round",
      passedOver: Object.entries(counts).map(([reason, count]) => ({
        reason: reason as PassedOver,
        plans: Array.from({ length: count }, (_, id) => ({ id, name: `plan ${id}` })),
        conditions: [],
      })),
    });
  const of = (fields: Partial<UserStory>) => outcomeOf(story(fields));

  const sold = of({ status: "distributed", pushes: [push("rejected"), push("accepted"), push("queued")], matches: [round({ city: 2 })] });
  assert.deepEqual(sold, { kind: "sold", pushes: [push("accepted"), push("queued")] });

  const passed = of({ status: "unmatched", pushes: [push("rejected")], matches: [round({ rules: 9 }), round({ consent: 21, city: 18 })] });
  assert.ok(passed.kind === "passed");
  assert.deepEqual([passed.plans, passed.reasons.map(({ reason }) => reason), passed.pushes.length], [39, ["consent", "city"], 1]);
  const none = of({ status: "unmatched", matches: [round({})] });
  assert.ok(none.kind === "passed" && none.plans === 0);

  // Parts that the viewer may not see say nothing.
  assert.deepEqual(of({ status: "unmatched", matches: null, pushes: null }), { kind: "status" });
  assert.deepEqual(of({ status: "distributed", matches: [round({ city: 1 })], pushes: null }), { kind: "status" });

  const check = { check: "dedup", outcome: "fail", noteZh: "", noteEn: "" } as const;
  assert.deepEqual(of({ status: "duplicate", checks: [{ ...check, outcome: "pass" }, check] }), { kind: "stopped", check });
  assert.deepEqual(of({ status: "erased", checks: [] }), { kind: "status" });
});
