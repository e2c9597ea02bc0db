/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { momentInput } from "./format";
import { parseMoment } from "./moment";

test("a moment is typed on Shanghai's clock, in any of the usual forms", () => {
  const ms = Date.UTC(2026, 10, 21, 9, 18);
  assert.equal(momentInput(ms), "2026-11-21 17:18");
  for (const typed of [
    "2026-11-21 17:18",
    "2026-11-21T17:18",
    " 2026/11/21  17:18 ",
    "20261121 17:18",
    "2026年11月21日 17:18",
    "２０２６-11-21 17：18",
  ])
    assert.equal(parseMoment(typed), ms, typed);
  assert.equal(parseMoment("2026-11-21 17:18:30"), ms + 30_000);
  assert.equal(parseMoment("2026-1-5 9:05"), Date.UTC(2026, 0, 5, 1, 5));
  for (const nonsense of ["", "2026-11-21", "2026-13-01 00:00", "2026-02-30 08:00", "2026-11-21 25:00", "2026-11-21 8:7", "tomorrow"])
    assert.equal(parseMoment(nonsense), null, nonsense);
  assert.equal(momentInput(null), "");
});
