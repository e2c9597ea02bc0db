/** /payConfig in the browser: an order is made and paid on its page, by a provider in a process of its own and by two people. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

import { act, axe, call, flow, openPage, serve, toast, until, visit } from "./support.mjs";

const question = (page) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
const rowOf = (page, text) => page.locator("tbody tr", { hasText: text });

const channelOf = async (keyword) => (await call("POST", "/payChannel/page", { keyword }, "finance")).list[0];
/** On Shanghai's clock, as a field of a moment takes it. */
const anHourAgo = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 16);
const orderOf = async (no) => (await call("POST", "/payOrder/page", { keyword: no }, "finance")).list[0];

// The payer's page, the provider's and a second server have other ports.
const others = [/^request to another host/];

// S1.08 S2.13
flow("an order is paid by a scanned code, on pages without scripts", { as: "operator", allow: others }, async (page) => {
  const provider = spawn(process.env["BINARY"], ["demo-provider"], { stdio: ["ignore", "pipe", "inherit"] });
  const second = await serve({ LEADLANE_PRIVATE_CALLS: "allow" });
  const payer = await openPage({ locale: "zh-CN", script: false, width: 360, height: 740, allow: others });
  try {
    await once(provider.stdout, "data");
    await visit(page, "/payConfig/order-list");
    await page.getByRole("button", { name: "创建订单" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("机构").selectOption({ index: 1 });
    await form.getByLabel("收款通道").selectOption({ label: "微信支付（主商户）" });
    await form.getByLabel("款项说明").fill("浏览器充值");
    await form.getByLabel("金额").fill("321.09");
    await axe(page);
    await form.getByRole("button", { name: "创建", exact: true }).click();
    const shown = page.getByRole("dialog", { name: /付款/ });
    const address = new URL(await shown.getByRole("link").getAttribute("href"), second.origin);
    await axe(page);
    await payer.page.goto(`${second.origin}${address.pathname}`);
    await payer.page.getByText("¥321.09").waitFor();
    await payer.page.getByRole("button", { name: "去支付" }).click();
    await payer.page.getByRole("img", { name: "付款二维码" }).waitFor();
    const [{ no }] = (await call("POST", "/payOrder/page", { status: "paying" }, "finance")).list;
    await payer.page.goto(`http://127.0.0.1:7998/scan/${no}`);
    await payer.page.getByRole("button", { name: "支付 Pay" }).click();
    await payer.page.getByText("SUCCESS").waitFor();
    // Without a public address there are no notifications: opening the page makes the server query the provider.
    await until(async () => {
      await payer.page.goto(`${second.origin}${address.pathname}`);
      return payer.page.getByText("已支付").isVisible();
    }, "the order is paid");
    assert.equal((await orderOf(no)).knownBy, "query");
    await visit(page, `/payConfig/order-list?keyword=${no}`);
    await rowOf(page, no).getByText("成功").waitFor();
  } finally {
    await payer.context.close();
    await second.stop();
    provider.kill();
  }
});

flow("a bank payment is entered by one and confirmed by another, then refunded", { as: "operator" }, async (page) => {
  const [org] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  const bank = await channelOf("BANK-CMB");
  const body = { orgId: org.id, payeeChannelId: bank.id, bizType: "recharge", subject: "账户充值", amountCents: 456_700, minutes: 60 };
  const { no } = await call("POST", "/payOrder", body, "operator");
  await visit(page, `/payConfig/order-list?keyword=${no}`);
  await act(page, rowOf(page, no), "登记付款");
  await question(page).getByLabel("渠道流水号").fill("BANK-E2E-1");
  await axe(page);
  await question(page).getByLabel("付款时间").fill(anHourAgo());
  await question(page).getByRole("button", { name: "登记", exact: true }).click();
  await toast(page, "付款已登记，等待另一人确认");
  const second = await openPage({ as: "finance" });
  await visit(second.page, `/payConfig/order-list?keyword=${no}`);
  await act(second.page, rowOf(second.page, no), "确认付款");
  await axe(second.page);
  await question(second.page).getByRole("button", { name: "确认付款" }).click();
  await toast(second.page, "付款已确认");
  await rowOf(second.page, no).getByText("成功").waitFor();
  await visit(page, `/payConfig/order-list/${(await orderOf(no)).id}`);
  await page.getByRole("button", { name: "申请退款" }).click();
  await question(page).getByLabel("退款金额").fill("100");
  await question(page).getByLabel("原因").fill("多付");
  await question(page).getByRole("button", { name: "提交申请" }).click();
  await toast(page, "退款已申请，等待另一人审核");
  await visit(second.page, `/payConfig/order-list/refunds?keyword=${no}`);
  await act(second.page, rowOf(second.page, no), "通过");
  await axe(second.page);
  await question(second.page).getByLabel("退款流水号").fill("REFUND-E2E-1");
  await question(second.page).getByRole("button", { name: "通过" }).click();
  await toast(second.page, "退款已通过并登记为已退");
  assert.equal((await orderOf(no)).status, "part_refunded");
  await rowOf(second.page, no).getByRole("link", { name: /^RF/ }).click();
  await second.page.getByRole("heading", { level: 1, name: /^RF/ }).waitFor();
  await second.page.locator("#main").getByText(/^成功：100\.00 元已于 .+ 退给付款人。$/).waitFor();
  await axe(second.page);
  // Back closes nothing else: the list is as it was.
  await second.page.getByRole("link", { name: "返回退款" }).click();
  await second.page.waitForURL(`**/payConfig/order-list/refunds?keyword=${no}`);
  assert.deepEqual(second.complaints(), []);
  await second.context.close();
});

flow("a late payment is accepted for its order by two people", { as: "finance" }, async (page) => {
  await visit(page, "/payConfig/order-list/exceptions?kind=late&status=open");
  await act(page, page.locator("tbody tr").first(), "申请入账");
  await question(page).getByRole("textbox").fill("已核对");
  await axe(page);
  await question(page).getByRole("button", { name: "申请入账" }).click();
  await toast(page, "已申请入账，等待另一人确认");
  const second = await openPage({ as: "admin" });
  await visit(second.page, "/payConfig/order-list/exceptions?awaits=decision");
  await act(second.page, second.page.locator("tbody tr").first(), "确认入账");
  await axe(second.page);
  await question(second.page).getByRole("button", { name: "确认入账" }).click();
  await toast(second.page, "款项已入账");
  assert.deepEqual(second.complaints(), []);
  await second.context.close();
});

flow("a channel is made by one and enabled by another, its keys never shown again", { as: "finance" }, async (page) => {
  await visit(page, "/payConfig/list");
  await page.getByRole("button", { name: "新增收款通道" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("编码").fill("ALI-E2E");
  await form.getByLabel("支付渠道").selectOption("alipay");
  await form.getByLabel("名称").fill("浏览器通道");
  await form.getByLabel("收款主体").selectOption({ index: 1 });
  await form.getByLabel("商户号").fill("2088000000000009");
  await form.getByLabel("应用 ID").fill("2021000000000009");
  await form.getByLabel("商户私钥").fill("not a key");
  await form.getByLabel("单笔下限").fill("1");
  await form.getByLabel("单笔上限").fill("5000");
  await axe(page);
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText(/RSA 私钥/).waitFor();
  await form.getByLabel("商户私钥").fill("");
  await form.getByRole("button", { name: "保存" }).click();
  await toast(page, "收款通道已新增");
  await visit(page, "/payConfig/list?keyword=ALI-E2E");
  const row = rowOf(page, "ALI-E2E");
  await row.getByText("停用").first().waitFor();
  await act(page, row, "编辑");
  assert.equal(await question(page).getByLabel("应用 ID").inputValue(), "");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row.getByRole("link", { name: "ALI-E2E", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "浏览器通道" }).waitFor();
  const main = page.locator("#main");
  await main.getByText(/^停用：不能下单。启用前须填写商户私钥、支付宝公钥。/).waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回收款通道" }).click();
  await page.waitForURL("**/payConfig/list?keyword=ALI-E2E");
});

flow("links are imported into the pool", { as: "finance" }, async (page) => {
  await visit(page, "/payConfig/pool-list");
  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const table = "通道编码,链接\nLINK-01,https://pay.example.com/l/e2e1\nLINK-01,nothing\n";
  await dialog.locator("input[type=file]").setInputFiles({ name: "links.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await dialog.getByText(/错误|有误/).first().waitFor();
  await axe(page);
});

flow("a day's statement is matched, its difference settled, and the day closed by two people", { as: "finance" }, async (page) => {
  await visit(page, "/payConfig/order-list/statements");
  await page.getByRole("button", { name: "导入对账单" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("收款通道").selectOption({ label: "银联 POS" });
  await dialog.getByLabel("日期").fill("2026-01-06");
  await dialog.getByLabel("流水号列").fill("流水号");
  await dialog.getByLabel("金额列").fill("金额");
  await dialog.locator("input[type=file]").setInputFiles({ name: "pos.csv", mimeType: "text/csv", buffer: Buffer.from("流水号,金额\nPOS-1,8.00\n") });
  await axe(page);
  await dialog.getByRole("button", { name: "导入", exact: true }).click();
  const row = rowOf(page, "2026-01-06");
  await row.getByRole("link", { name: "1", exact: true }).click();
  await rowOf(page, "POS-1").waitFor();
  await act(page, rowOf(page, "POS-1"), "处理");
  await question(page).getByRole("textbox").fill("重复入账，已退");
  await question(page).getByRole("button", { name: "处理" }).click();
  await rowOf(page, "POS-1").waitFor({ state: "detached" });
  await visit(page, "/payConfig/order-list/statements");
  await act(page, row, "申请关账");
  await question(page).getByRole("button", { name: "申请关账" }).click();
  await row.getByText(/须他人/).first().waitFor();
  await row.getByRole("link", { name: "2026-01-06", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "银联 POS 2026-01-06 对账" }).waitFor();
  await page.locator("#main").getByText(/已申请关账，须由另一人确认。/).waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回对账" }).click();
  await page.waitForURL("**/payConfig/order-list/statements");
  const second = await openPage({ as: "operator" });
  await visit(second.page, "/payConfig/order-list/statements?awaits=decision");
  await act(second.page, rowOf(second.page, "2026-01-06"), "关账");
  await axe(second.page);
  await question(second.page).getByRole("button", { name: "关账", exact: true }).click();
  await rowOf(second.page, "2026-01-06").waitFor({ state: "detached" });
  assert.deepEqual(second.complaints(), []);
  await second.context.close();
});
