/// <reference types="node" />
/** Whether orders can be made for a payee channel, in a few sentences. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "virtual:texts";

import type { PayeeChannelRow } from "../../../lib/api-types";
import { translator } from "../../../lib/i18n";
import { providerParams } from "./fields";
import { stateOf } from "./state";

const wechat = {
  provider: "wechat",
  status: "enabled",
  payeeEnabled: true,
  paramNames: [...providerParams.wechat],
  keysBy: [7],
} as unknown as PayeeChannelRow;
const state = (row: PayeeChannelRow, viewer = 8, locale: "zh-CN" | "en-US" = "zh-CN") => stateOf(row, viewer, translator(texts[locale]));

test("an enabled channel takes orders, and payments come from the provider or from two people", () => {
  assert.equal(state(wechat), "启用：可以下单，支付渠道通知的付款自动入账。");
  assert.equal(state({ ...wechat, provider: "bank", paramNames: [] }), "启用：可以下单，付款由一人登记、另一人确认。");
});

test("an enabled channel of a disabled payee takes no orders", () => {
  assert.equal(state({ ...wechat, payeeEnabled: false }), "启用，但收款主体已停用，不能通过它下单。");
});

test("a disabled channel shows what it lacks, then who may enable it", () => {
  const disabled: PayeeChannelRow = { ...wechat, status: "disabled" };
  assert.equal(state({ ...disabled, paramNames: wechat.paramNames.slice(2) }), "停用：不能下单。启用前须填写应用 ID、商户证书序列号。");
  assert.equal(state(disabled), "停用：不能下单，待另一人启用（填写参数的人不能启用）。");
  assert.equal(state(disabled, 7), "停用：不能下单。参数由您填写，须由另一人启用。");
  assert.equal(state(disabled, 7, "en-US"), "Disabled: no orders can be made. You set its parameters; someone else must enable it.");
});
