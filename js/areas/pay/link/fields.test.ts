import assert from "node:assert/strict";
import { test } from "node:test";

import type { Translate } from "../../../lib/i18n";
import { sumOf } from "./fields";

const t: Translate = (key, params) => (params ? `${key} ${JSON.stringify(params)}` : key);

test("links that take any amount are counted beside the sum", () => {
  assert.equal(sumOf(2, 101_050, 0, t), "1,010.50");
  assert.equal(sumOf(3, 101_050, 1, t), 'paymentLink.sumAndAnyAmount {"sum":"1,010.50","links":"1"}');
  assert.equal(sumOf(1, 0, 1, t), 'paymentLink.onlyAnyAmount {"links":"1"}');
});
