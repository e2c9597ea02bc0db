/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import { translator } from "../../../lib/i18n";
import { shareOf } from "./basis";

test("a share of returns has a percentage from twenty purchases on", () => {
  const t = translator(texts["en-US"]);
  const basis = { days: 30, contacts: null };
  assert.equal(shareOf({ ...basis, sold: 19, returned: 2 }, t), "2 of 19 leads bought in 30 days, this one included");
  assert.equal(shareOf({ ...basis, sold: 120, returned: 8 }, t), "8 of 120 leads bought in 30 days (6.67%), this one included");
});
