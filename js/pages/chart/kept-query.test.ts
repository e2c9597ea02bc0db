import assert from "node:assert/strict";
import { test } from "node:test";

import { kept } from "./kept-query";

const order = { sort: null, order: null };

test("a usual range of days is kept as one that moves with today", () => {
  assert.deepEqual(kept({ filters: { dayFrom: "2026-02-25", dayTo: "2026-03-03", view: "7" }, ...order }, "2026-03-03"), { range: "week" });
  assert.deepEqual(kept({ filters: { dayFrom: "2026-02-01", dayTo: "2026-02-28" }, ...order }, "2026-03-03"), { range: "last_month" });
});

test("other days stay as they are, with filters and order", () => {
  assert.deepEqual(kept({ filters: { dayFrom: "2026-02-24", channelId: "3" }, sort: "sales", order: "desc" }, "2026-03-03"), {
    dayFrom: "2026-02-24", channelId: "3", sort: "sales", order: "desc",
  });
  assert.deepEqual(kept({ filters: { range: "month" }, ...order }, "2026-03-03"), { range: "month" });
});
