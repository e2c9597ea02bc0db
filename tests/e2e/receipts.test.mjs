/** /org/receipt in the browser: a payment is entered, and another person confirms it. */
import assert from "node:assert/strict";

import { axe, call, flow, toast, visit } from "./support.mjs";

const rowOf = (page, payer) => page.locator("tbody tr", { has: page.getByRole("cell", { name: payer, exact: true }) });

/** A receipt that waits, entered by the operator. */
async function entered(payerName, amountCents = 1_234_500) {
  const [org] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  const [payee] = await call("GET", "/org/payee/options", undefined, "admin");
  return call("POST", "/org/receipt", {
    orgId: org.id, payeeOrgId: payee.value, bizType: "recharge", amountCents, payMethod: "wechat", paidAt: Date.now() - 3_600_000,
    payerName,
  }, "operator");
}

flow("a payment is entered: what is missing is said, a bank transfer needs its number", { as: "finance" }, async (page) => {
  await visit(page, "/org/receipt");
  await page.getByRole("button", { name: "新增收款单" }).click();
  const dialog = page.getByRole("dialog", { name: "新增收款单" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("请选择付款时间").waitFor();
  await dialog.getByLabel("机构").first().selectOption({ index: 1 });
  await dialog.getByLabel("收款主体").selectOption({ index: 1 });
  await dialog.getByLabel("金额").fill("800.5");
  await dialog.getByLabel("付款时间").fill("2026-01-15T10:30");
  await dialog.getByLabel("付款人").fill("手工付款人");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("银行转账需要流水号").waitFor();
  await axe(page);
  await dialog.getByLabel("流水号").fill("HAND-0001");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "收款单已新增");
  await visit(page, "/org/receipt?keyword=手工付款人");
  const row = rowOf(page, "手工付款人");
  await row.getByRole("cell", { name: "800.50" }).waitFor();
  await row.getByText("待确认").waitFor();
  // The author of a receipt cannot confirm it.
  assert.equal(await row.getByRole("button", { name: "确认到账" }).count(), 0);
});

flow("a receipt is confirmed, credited, and taken back with a reason", { as: "finance" }, async (page) => {
  const { orgId } = await entered("流程付款人");
  const before = (await call("GET", `/plan/balance?orgId=${orgId}`, undefined, "admin")).balanceCents;
  await visit(page, "/org/receipt?keyword=流程付款人");
  const row = rowOf(page, "流程付款人");
  await row.getByRole("button", { name: "确认到账" }).click();
  await page.getByText("12,345.00 元将计入").waitFor();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "确认到账" }).click();
  await toast(page, "收款单已确认");
  await row.getByText("已确认").waitFor();
  assert.equal((await call("GET", `/plan/balance?orgId=${orgId}`, undefined, "admin")).balanceCents, before + 1_234_500);

  // The action is a button or an entry of the menu, depending on whether this viewer requested the void.
  const act = async (name) => {
    const button = row.getByRole("button", { name, exact: true });
    if (await button.count()) return button.click();
    await row.getByRole("button", { name: "更多" }).click();
    return page.getByRole("menuitem", { name, exact: true }).click();
  };
  await act("申请作废");
  const why = page.getByRole("dialog", { name: /^申请作废收款单/ });
  await why.getByRole("button", { name: "申请作废" }).click();
  await why.getByText("必填", { exact: true }).waitFor();
  await axe(page);
  await why.getByLabel("审核说明").fill("付款方撤回");
  await why.getByRole("button", { name: "申请作废" }).click();
  await toast(page, "已申请作废，等待另一人审核");
  await row.getByText(/^申请作废：付款方撤回（.+提交，须他人审核）$/).waitFor();
  assert.equal(await row.getByRole("button", { name: "作废", exact: true }).count(), 0);
  await act("撤回作废申请");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "撤回作废申请" }).click();
  await toast(page, "作废申请已撤回");

  const [{ id, version }] = (await call("POST", "/org/receipt/page", { keyword: "流程付款人" }, "operator")).list;
  await call("PUT", "/org/receipt/void", { id, version, note: "重复付款" }, "operator");
  await visit(page, "/org/receipt?keyword=流程付款人");
  await act("作废");
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await question.getByText("重复付款").waitFor();
  await question.getByRole("button", { name: "作废", exact: true }).click();
  await toast(page, "收款单已作废");
  await row.getByText("已作废").waitFor();
  assert.equal((await call("GET", `/plan/balance?orgId=${orgId}`, undefined, "admin")).balanceCents, before);
});

flow("a payment of an equal amount is confirmed once it is said to be another one", { as: "finance" }, async (page) => {
  const [first, second] = [await entered("同额付款人一", 2_345_600), await entered("同额付款人二", 2_345_600)];
  const row = rowOf(page, "同额付款人一");
  await visit(page, "/org/receipt?keyword=同额付款人一");
  await row.getByRole("button", { name: "确认到账" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "确认到账" }).click();
  const question = page.getByRole("dialog").filter({ hasText: "这是另一笔付款" });
  await question.getByText(second.no).first().waitFor();
  await axe(page);
  await question.getByRole("button", { name: "确认到账" }).click();
  await question.getByRole("alert").filter({ hasText: second.no }).waitFor();
  assert.equal((await call("GET", `/org/receipt/${first.id}`, undefined, "finance")).status, "waiting");
  await question.getByLabel("这是另一笔付款").check();
  await question.getByRole("button", { name: "确认到账" }).click();
  await toast(page, "收款单已确认");
  await row.getByText("已确认").waitFor();
});

flow("a receipt has a page of its own, and Back leads to the list as it was", { as: "admin" }, async (page) => {
  const { id, no } = await entered("详情付款人");
  await visit(page, "/org/receipt?keyword=详情付款人&sort=amountCents&order=asc");
  const list = page.url();
  await page.getByRole("table").getByRole("link", { name: no }).click();
  await page.getByRole("heading", { name: no }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/org/receipt/${id}`);
  await page.getByRole("navigation", { name: "已打开的页面" }).getByRole("link", { name: no }).waitFor();
  await page.getByRole("navigation", { name: "当前位置" }).getByRole("link", { name: "收款单" }).waitFor();
  await axe(page);

  await page.getByRole("link", { name: "操作记录" }).click();
  await page.waitForURL(/\?tab=history$/);
  await page.locator(".ll-timeline").getByText("周敏").first().waitFor();
  await page.getByRole("link", { name: "返回收款单" }).click();
  await page.getByRole("heading", { name: "收款单" }).waitFor();
  assert.equal(page.url(), list);

  // The page shows the results of its actions; after a deletion the list is opened.
  await page.getByRole("table").getByRole("link", { name: no }).click();
  await page.getByRole("button", { name: "驳回" }).click();
  const why = page.getByRole("dialog", { name: /^驳回收款单/ });
  await why.getByLabel("审核说明").fill("金额不符");
  await why.getByRole("button", { name: "驳回" }).click();
  await toast(page, "收款单已驳回");
  await page.locator(".ll-page-title").getByText("已驳回").waitFor();
  await page.getByRole("button", { name: "删除" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "删除" }).click();
  await toast(page, "收款单已删除");
  await page.waitForURL("/org/receipt");
  await page.getByRole("heading", { name: "收款单" }).waitFor();
});

flow("the page of a receipt works without JavaScript", { as: "finance", script: false }, async (page) => {
  const { id, no } = await entered("无脚本付款人");
  await page.goto("/org/receipt?keyword=无脚本付款人");
  await page.getByRole("link", { name: no }).click();
  await page.getByRole("heading", { name: no }).waitFor();
  await page.getByText("无脚本付款人").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "确认到账" }).count(), 0, "a button that can do nothing is not there");
  await page.getByRole("link", { name: "操作记录" }).click();
  await page.getByText("新增", { exact: true }).waitFor();
  assert.equal(page.url().split("/org")[1], `/receipt/${id}?tab=history`);
  await page.getByRole("link", { name: "返回收款单" }).click();
  await page.getByRole("heading", { name: "收款单" }).waitFor();
});

flow("a receipt that is not there is not found", { as: "finance", allow: [/status of 404/] }, async (page) => {
  const answer = await page.goto("/org/receipt/999999");
  assert.equal(answer.status(), 404);
  await page.getByRole("heading", { name: "抱歉，页面不见了～" }).waitFor();
});

flow("a push tells what was sold and how it was delivered", { as: "operator" }, async (page) => {
  await visit(page, "/plan/push-list?status=failed");
  await page.locator("tbody tr").first().getByRole("link").first().click();
  const story = page.locator("#main");
  await story.getByText(/^失败：/).waitFor();
  await axe(page);
  assert.match(await story.innerText(), /100\*{4}\d{4}/);
  await page.locator(".ll-tabs").getByRole("link", { name: "推送过程" }).click();
  await story.getByText("第 4 次").waitFor();
  await story.getByText("无法连接对方服务器").first().waitFor();
  assert.doesNotMatch(await story.innerText(), /1000002\d{4}/);
  await axe(page);
});
