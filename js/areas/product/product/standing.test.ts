/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { CheckRow, ProductCheck, ProductNow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { standingOf } from "./standing";

const row = { status: "offline", lenderName: "北辰", annualRateMaxBp: 2380, holds: [] } as unknown as ProductNow;
const check = { result: "pass", checkedAt: Date.UTC(2027, 0, 7, 2) } as CheckRow;
const sentence = (known: ProductCheck | null, locale: "zh-CN" | "en-US" = "zh-CN") => standingOf(row, known, translator(texts[locale]));

test("a product that is not online says which check it needs", () => {
  assert.equal(sentence(null), "下架：不展示。上架需要有效的合规检测。");
  assert.equal(sentence({ passed: false, changed: false, check: null }), "下架：不展示。上架需要有效的合规检测。");
  assert.equal(sentence({ passed: true, changed: false, check }), "下架：不展示。上架的条件已具备。");
  const changed = { passed: false, changed: true, check };
  assert.equal(sentence(changed), "下架：不展示。上架需要重新通过合规检测（2027-01-07 10:00 检测后产品已修改）。");
  assert.match(sentence(changed, "en-US"), /another compliance check \(it has changed since the one of 2027-01-07 10:00\)\.$/);
  assert.equal(sentence({ ...changed, check: { ...check, result: "fail" } }), "下架：不展示。上架需要有效的合规检测。");
});
