/** /finance/partner in the browser: a statement is sent, confirmed by its channel in a browser of its own, and paid by two people. */
import assert from "node:assert/strict";

import { act, axe, call, flow, openPage, toast, visit } from "./support.mjs";

const question = (page) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
const rowOf = (page, text) => page.locator("tbody tr", { hasText: text });
const statements = async (status) => (await call("POST", "/partner/statement/page", { status }, "finance")).list;
/** The present minute on Shanghai's clock, as a field of a moment takes it. */
const thisMinute = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 16);

/** A picture of one dot. */
const DOT = Buffer.from("89504e470d0a1a0a0000000d494844520000000200000003080600000000000000" + "0000000049454e44ae426082", "hex");

/** Sends a statement in its list, and returns the path of its link. */
async function send(page, { statementNo }) {
  await visit(page, `/finance/partner?keyword=${statementNo}`);
  await act(page, rowOf(page, statementNo), "发送");
  await question(page).getByRole("button", { name: "发送", exact: true }).click();
  const shown = page.getByRole("dialog", { name: /的链接/ });
  const link = new URL(await shown.locator(".ll-secrets code").innerText());
  await shown.getByRole("button", { name: "我已保存" }).click();
  await toast(page, "对账单已发送");
  await rowOf(page, statementNo).getByText("待渠道确认").waitFor();
  return link.pathname;
}

flow("a statement is sent, confirmed by its channel, and paid by two people", { as: "operator" }, async (page) => {
  const [statement] = await statements("draft");
  const path = await send(page, statement);

  // A signed-in browser can only read the statement, not answer it.
  await page.goto(path);
  await page.getByText("此浏览器已登录后台，仅可查看，不能代渠道答复").waitFor();
  assert.equal(await page.getByRole("button").count(), 0);
  const partner = await openPage({ locale: "zh-CN", script: false, width: 360, height: 740 });
  const second = await openPage({ as: "finance" });
  try {
    await partner.page.goto(path);
    await partner.page.getByRole("button", { name: "确认无误" }).click();
    await partner.page.getByRole("status").filter({ hasText: "已确认" }).waitFor();
    assert.equal(await partner.page.getByRole("button").count(), 0);
    assert.deepEqual(partner.complaints(), []);

    await visit(page, `/finance/partner/${statement.id}`);
    await page.getByText("127.0.*.*").first().waitFor();
    await axe(page);
    await visit(page, `/finance/partner?keyword=${statement.statementNo}`);
    await act(page, rowOf(page, statement.statementNo), "申请付款");
    const form = question(page);
    const payee = form.getByLabel("付款主体");
    if (!(await payee.inputValue())) await payee.selectOption({ index: 1 });
    await form.getByLabel("付款金额").fill("1234.5");
    await axe(page);
    await form.getByRole("button", { name: "申请付款" }).click();
    await toast(page, "付款已申请，等待另一人审核");
    const [payout] = (await call("POST", "/partner/payout/page", { statementId: statement.id }, "operator")).list;

    await visit(second.page, `/finance/partner/payouts?keyword=${payout.payoutNo}`);
    await act(second.page, rowOf(second.page, payout.payoutNo), "通过");
    await question(second.page).getByRole("button", { name: "通过" }).click();
    await toast(second.page, "付款已通过，待付款");

    await visit(page, `/finance/partner/payouts?keyword=${payout.payoutNo}`);
    await act(page, rowOf(page, payout.payoutNo), "登记付款");
    await question(page).getByLabel("银行流水号").fill("E2E-PAYOUT-1");
    await question(page).getByLabel("付款时间").fill(thisMinute());
    await question(page).getByRole("button", { name: "登记付款" }).click();
    await toast(page, "付款已登记");
    await rowOf(page, payout.payoutNo).getByText("已付款").waitFor();

    const { payable, code } = await call("GET", `/channel/${statement.channelId}`, undefined, "admin");
    assert.equal(payable.payableCents - payable.paidCents, payable.openCents);
    assert.equal(payable.paidCents, 123_450 + payout.taxCents);
    const yuan = (cents) => (cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
    await visit(page, `/channel/list?keyword=${code}`);
    await rowOf(page, statement.channelName).first().getByRole("link").first().click();
    await page.getByText(`累计应付 ${yuan(payable.payableCents)}，已付 ${yuan(payable.paidCents)}，未付 ${yuan(payable.openCents)}`).waitFor();
    await visit(page, `/finance/partner/${statement.id}`);
    await page.getByText("1,234.50").first().waitFor();
    assert.deepEqual(second.complaints(), []);
  } finally {
    await partner.context.close();
    await second.context.close();
  }
});

flow("a statement that its channel does not answer is confirmed by two people with a proof", { as: "operator" }, async (page) => {
  const [statement] = await statements("disputed");
  await visit(page, `/finance/partner?keyword=${statement.statementNo}`);
  await act(page, rowOf(page, statement.statementNo), "申请确认");
  const form = question(page);
  await form.getByLabel("渠道如何确认").fill("渠道盖章回传");
  await form.getByRole("button", { name: "申请确认" }).click();
  await form.getByText("请上传凭证").waitFor();
  await form.locator("input[type=file]").setInputFiles({ name: "确认函.png", mimeType: "image/png", buffer: DOT });
  await form.getByRole("button", { name: "移除 确认函.png" }).waitFor();
  await axe(page);
  await form.getByRole("button", { name: "申请确认" }).click();
  await toast(page, "确认已申请，等待另一人审核");
  await rowOf(page, statement.statementNo).getByText(/^渠道盖章回传（.+提交，须他人审核）$/).waitFor();
  const second = await openPage({ as: "finance" });
  try {
    await visit(second.page, "/finance/partner?awaits=decision");
    await act(second.page, rowOf(second.page, statement.statementNo), "通过确认");
    await question(second.page).getByText("渠道盖章回传").waitFor();
    await question(second.page).getByRole("button", { name: "通过确认" }).click();
    await toast(second.page, "对账单已确认");
    assert.deepEqual(second.complaints(), []);
  } finally {
    await second.context.close();
  }
  await visit(page, `/finance/partner/${statement.id}`);
  await page.getByRole("link", { name: "确认函.png" }).first().waitFor();
  await axe(page);
});
