/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { CheckItem, CheckNow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const item = (result: CheckItem["result"], titleZh: string) => ({ result, titleZh, titleEn: `${titleZh} in English` }) as CheckItem;
const check = (fields: Partial<CheckNow>) =>
  ({
    result: "pass",
    items: [],
    expired: false,
    replaced: false,
    changed: false,
    validUntil: Date.UTC(2027, 0, 7, 2),
    ...fields,
  }) as CheckNow;
const state = (fields: Partial<CheckNow>, locale: "zh-CN" | "en-US" = "zh-CN") => stateOf(check(fields), translator(texts[locale]));

test("the state of a check that holds says until when", () => {
  assert.equal(state({}), "通过：各项都符合，有效期至 2027-01-07 10:00:00。");
  assert.match(state({ result: "warn", items: [item("warn", "有负责人")] }), /^警告：有负责人；不影响上线，有效期至/);
  assert.equal(state({ expired: true }), "通过，但有效期已过（2027-01-07 10:00:00），请重新检测。");
  assert.match(state({ replaced: true }), /。 之后又检测过，以最近一次为准。$/);
  assert.match(state({ changed: true }), /^通过，但检测之后产品已修改，请重新检测后再上架。$/);
});

test("a failed check names what failed, and no validity", () => {
  const failed = { result: "fail", items: [item("pass", "已脱敏"), item("fail", "写明放款机构")] } as const;
  assert.equal(state({ ...failed, items: [...failed.items] }), "不通过：写明放款机构。修正后请重新检测。");
  assert.equal(state({ ...failed, items: [...failed.items], expired: true }), "不通过：写明放款机构。修正后请重新检测。");
  assert.match(state({ ...failed, items: [...failed.items] }, "en-US"), /^Failed: 写明放款机构 in English\. Correct this/);
});
