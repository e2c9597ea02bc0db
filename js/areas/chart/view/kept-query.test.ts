import assert from "node:assert/strict";
import { test } from "node:test";

import { kept } from "./kept-query";

const order = { sort: null, order: null };

test("usual days can be kept as ranges that move with today", () => {
  const { days, ranges } = kept({ filters: { dayFrom: "2026-02-25", dayTo: "2026-03-03", view: "7" }, ...order }, "2026-03-03");
  assert.deepEqual([days, ranges], [{ from: "2026-02-25", to: "2026-03-03" }, ["week"]]);
  assert.deepEqual(kept({ filters: { dayFrom: "2026-02-01", dayTo: "2026-02-28" }, ...order }, "2026-03-03").ranges, ["last_month"]);
  // On some days two ranges are the same days: the viewer chooses one.
  assert.deepEqual(kept({ filters: { dayFrom: "2026-03-01", dayTo: "2026-03-07" }, ...order }, "2026-03-07").ranges, ["month", "week"]);
  assert.deepEqual(kept({ filters: { dayFrom: "2026-03-01" }, ...order }, "2026-03-01").ranges, ["month", "today"]);
});

test("filters and order stay, and days that are no usual ones", () => {
  assert.deepEqual(kept({ filters: { dayFrom: "2026-02-24", channelId: "3" }, sort: "sales", order: "desc" }, "2026-03-03"), {
    query: { channelId: "3", sort: "sales", order: "desc" },
    days: { from: "2026-02-24", to: "2026-02-24" },
    ranges: [],
  });
  assert.deepEqual(kept({ filters: { range: "month" }, ...order }, "2026-03-03"), { query: { range: "month" }, days: null, ranges: [] });
});
