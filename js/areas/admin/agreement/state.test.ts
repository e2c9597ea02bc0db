/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { AgreementRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { stateOf } from "./state";

const t = translator(texts["zh-CN"]);
/** 2026-01-01 in Shanghai. */
const DAY = 1_767_196_800_000;
const state = (fields: Partial<AgreementRow>) => stateOf({ state: "valid", validFrom: DAY, validTo: null, ...fields } as AgreementRow, t);

test("the state of an agreement says whether new consents may name it", () => {
  assert.equal(state({ state: "waiting" }), "未生效：2026-01-01 00:00 起新的授权可以引用它。");
  assert.equal(state({}), "有效：新的授权可以引用它。");
  assert.equal(state({ validTo: DAY }), "有效：2026-01-01 00:00 前新的授权可以引用它。");
  assert.equal(state({ state: "ended", validTo: DAY }), "已结束：2026-01-01 00:00 起新的授权不能引用它。");
});
