/** /finance in the browser: a recharge is applied for and credited, an account adjusted and frozen, a statement answered. */
import assert from "node:assert/strict";

import { act, axe, call, flow, toast, visit } from "./support.mjs";

/** The last dialog that was opened. */
const question = (page) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
const rowOf = (page, text) => page.locator("tbody tr", { hasText: text });

// S1.07 S2.11
flow("an organisation applies for a recharge of its own", { as: "north.manager" }, async (page) => {
  await visit(page, "/finance/recharge");
  await page.getByRole("button", { name: "申请充值" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("赠送金额").count(), 0, "gifts are given by the platform");
  await dialog.getByLabel("充值金额").fill("1234.56");
  await dialog.getByLabel("流水号").fill("E2E-RECHARGE-1");
  await dialog.getByLabel("备注").fill("浏览器申请");
  await axe(page);
  await dialog.getByRole("button", { name: "提交申请" }).click();
  await toast(page, "充值已申请，等待审核");
  await rowOf(page, "1,234.56").first().getByText("待审核").waitFor();
  const [{ id, version }] = (await call("POST", "/finance/recharge/page", { sort: "createdAt", order: "desc" }, "north.manager")).list;
  await call("PUT", "/finance/recharge/audit", { id, version, approve: true }, "finance");
  await visit(page, "/finance/account/entries");
  await rowOf(page, "1,234.56").first().getByText("充值").waitFor();
});

flow("a recharge is credited by another person with its gift, and linked from its entry", { as: "finance" }, async (page) => {
  const [org] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  const [payee] = await call("GET", "/org/payee/options", undefined, "admin");
  const body = { orgId: org.id, payeeOrgId: payee.value, amountCents: 765_400, giftCents: 12_300, payMethod: "wechat" };
  const { no } = await call("POST", "/finance/recharge", body, "operator");
  const before = (await call("GET", `/finance/account/${org.id}`, undefined, "finance")).balanceCents;
  await visit(page, `/finance/recharge?keyword=${no}`);
  await act(page, rowOf(page, no), "通过");
  await axe(page);
  await question(page).getByRole("button", { name: "通过" }).click();
  await toast(page, "充值已到账");
  await rowOf(page, no).getByText("已到账").waitFor();
  assert.equal((await call("GET", `/finance/account/${org.id}`, undefined, "finance")).balanceCents, before + 777_700);
  await visit(page, `/finance/account/entries?keyword=${no}`);
  assert.equal(await page.locator("tbody tr").count(), 2);
  await page.getByRole("link", { name: no }).first().click();
  await page.getByRole("heading", { name: no }).waitFor();
});

flow("an account is frozen and released, and an adjustment asked for", { as: "finance" }, async (page) => {
  await visit(page, "/finance/account?keyword=南十字");
  const row = page.locator("tbody tr").first();
  await act(page, row, "冻结");
  const why = question(page);
  await why.getByRole("button", { name: "冻结" }).click();
  await why.getByText("必填", { exact: true }).waitFor();
  await why.getByRole("textbox").fill("核实中");
  await why.getByRole("button", { name: "冻结" }).click();
  await toast(page, "账户已冻结");
  await act(page, row, "解冻");
  await question(page).getByRole("textbox").fill("已核实");
  await question(page).getByRole("button", { name: "解冻" }).click();
  await toast(page, "账户已解冻");
  await act(page, row, "申请调账");
  await axe(page);
  await question(page).getByLabel("方向").selectOption("increase");
  await question(page).getByLabel("金额").fill("88.8");
  await question(page).getByLabel("原因").fill("浏览器补差");
  await question(page).getByRole("button", { name: "申请调账" }).click();
  await toast(page, "调账已申请，等待另一人审核");
  await visit(page, "/finance/account/adjustments?status=pending");
  await rowOf(page, "浏览器补差").getByText("88.80").waitFor();
  assert.equal(await rowOf(page, "浏览器补差").getByRole("button", { name: "通过" }).count(), 0, "not by the requester");
  await rowOf(page, "浏览器补差").getByRole("link", { name: /^TZ/ }).click();
  await page.getByRole("heading", { level: 1, name: /^TZ/ }).waitFor();
  await page.locator("#main").getByText(/将调整 \+88\.80 元。由.+申请，须由另一人审核。/).waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回调账记录" }).click();
  await page.waitForURL("**/finance/account/adjustments?status=pending");
});

flow("an organisation reads its statement and disputes it", { as: "north.manager" }, async (page) => {
  const { list: [{ id, month }] } = await call("POST", "/finance/statement/page", { status: "sent" }, "north.manager");
  await visit(page, `/finance/statement/${id}`);
  await page.getByRole("heading", { name: month }).waitFor();
  await page.getByText("期末余额").first().waitFor();
  await axe(page);
  await page.getByRole("button", { name: "提出异议" }).click();
  await question(page).getByRole("textbox").fill("少一笔");
  await question(page).getByRole("button", { name: "提交" }).click();
  await page.getByText("有异议").first().waitFor();
});

flow("a balance is explained by its transfers, down to what each was posted for", { as: "finance" }, async (page) => {
  await visit(page, "/finance/account/balances");
  const totals = page.locator("tfoot tr");
  const sums = await totals.locator("td").allInnerTexts();
  const [debit, credit] = sums.filter((text) => /^[\d,]+\.\d\d$/.test(text.trim()));
  assert.equal(debit, credit, "debit and credit are equal");
  await axe(page);
  await page.getByRole("link", { name: "机构预付款", exact: true }).click();
  await page.waitForURL(/kind=org_paid/);
  assert.ok((await page.locator("tbody tr").count()) > 1, "an account for each organisation");
  await page.locator("tbody tr").first().getByRole("link", { name: "机构预付款" }).click();
  await page.waitForURL(/transfers\?kind=org_paid&ownerId=\d+/);
  await page.getByRole("link", { name: "线索收入" }).first().waitFor();
  await axe(page);
  // What an account held on its first day.
  const { id } = (await call("POST", "/finance/account/page", { sort: "totalSpendCents", order: "desc" }, "finance")).list[0];
  await visit(page, `/finance/account/${id}`);
  await page.getByLabel("时点", { exact: true }).fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "查询" }).click();
  const shown = page.getByRole("region", { name: "历史余额" });
  await shown.getByText("0.00").first().waitFor();
});

flow("accounts and statements are complete without JavaScript", { as: "finance", script: false }, async (page) => {
  await page.goto("/finance/account");
  await page.getByRole("link", { name: "对账单" }).first().click();
  await page.locator("tbody tr").first().getByRole("link").first().click();
  await page.getByText("期初余额").first().waitFor();
  await page.goto("/finance/account?holds=gifts");
  assert.ok((await page.locator("tbody tr").count()) > 0);
});

flow("an invoice goes from request to courier, and a number is recorded once", { as: "finance" }, async (page) => {
  const [of] = (await call("POST", "/finance/invoiceable/page", {}, "north.manager")).list;
  const body = {
    orgId: of.id, payeeOrgId: of.payeeOrgId, kind: "plain", titleType: "company", title: "北辰银行", taxNo: "91310000MA1FL0XXXX", amountCents: 100,
    content: "信息服务费", receiverName: "邵明", receiverPhone: "13812340001", receiverAddress: "人民路 18 号",
  };
  for (const again of [false, true]) {
    const { no } = await call("POST", "/finance/invoice", body, "north.manager");
    await visit(page, `/finance/invoice?keyword=${no}`);
    await act(page, rowOf(page, no), "通过");
    await question(page).getByRole("button", { name: "通过" }).click();
    await toast(page, "申请已通过");
    await rowOf(page, no).getByText("待开票").waitFor();
    await act(page, rowOf(page, no), "开票");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("发票号码").fill("55667788");
    await dialog.getByLabel("开票日期").fill(new Date().toLocaleDateString("sv-SE", { timeZone: "Asia/Shanghai" }));
    await dialog.getByRole("button", { name: "开票", exact: true }).click();
    if (again) {
      await dialog.getByText("该发票号码已登记").first().waitFor();
      return axe(page);
    }
    await toast(page, "发票已开具");
    await rowOf(page, no).getByText("已开票").waitFor();
    await act(page, rowOf(page, no), "寄出");
    await dialog.getByLabel("快递公司").fill("顺丰");
    await dialog.getByRole("button", { name: "寄出", exact: true }).click();
    await dialog.getByText("必填").first().waitFor();
    await dialog.getByLabel("快递单号").fill("SF1");
    await dialog.getByRole("button", { name: "寄出", exact: true }).click();
    await toast(page, "发票已寄出");
    await rowOf(page, no).getByText("已寄出").waitFor();
  }
});

flow("a part of an issued invoice is counted back by a red-letter invoice", { as: "north.manager" }, async (page) => {
  const [of] = (await call("POST", "/finance/invoiceable/page", {}, "north.manager")).list;
  const { id, no, version } = await call("POST", "/finance/invoice", {
    orgId: of.id, payeeOrgId: of.payeeOrgId, kind: "electronic", titleType: "person", title: "浏览器红冲", amountCents: 300,
    content: "信息服务费", receiverEmail: "a@b.cn",
  }, "north.manager");
  const issuedOn = new Date().toLocaleDateString("sv-SE", { timeZone: "Asia/Shanghai" });
  const issue = async (row, invoiceNumber) => {
    const approved = await call("PUT", "/finance/invoice/status", { id: row.id, version: row.version, status: "approved" }, "finance");
    return call("PUT", "/finance/invoice/issue", { id: row.id, version: approved.version, invoiceNumber, issuedOn }, "finance");
  };
  await issue({ id, version }, "66778801");
  await visit(page, `/finance/invoice?keyword=${no}`);
  await act(page, rowOf(page, no), "红冲");
  const dialog = page.getByRole("dialog");
  await axe(page);
  await dialog.getByLabel("红冲金额").fill("4");
  await dialog.getByLabel("红冲原因").fill("退单退款");
  await dialog.getByRole("button", { name: "申请红冲" }).click();
  await dialog.getByText("最多 3.00 元").first().waitFor();
  await dialog.getByLabel("红冲金额").fill("1");
  await dialog.getByRole("button", { name: "申请红冲" }).click();
  await toast(page, "红字发票已申请，等待审核");
  const [red] = (await call("POST", "/finance/invoice/page", { redOfId: id }, "finance")).list;
  assert.equal(red.amountCents, -100);
  await issue(red, "66778802");
  await visit(page, "/finance/invoice?color=red");
  await rowOf(page, red.no).getByText("-1.00").waitFor();
  await visit(page, `/finance/invoice/${red.id}`);
  await page.getByRole("link", { name: no }).first().waitFor();
  await axe(page);
  await visit(page, `/finance/invoice/${id}`);
  await page.getByRole("link", { name: "1.00" }).first().click();
  await rowOf(page, red.no).waitFor();
});

flow("an organisation asks for an invoice within what it spent, and withdraws it", { as: "north.manager" }, async (page) => {
  await visit(page, "/finance/invoice");
  await page.getByRole("button", { name: "申请开票" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("抬头类型").selectOption("person");
  await dialog.getByLabel("发票抬头").fill("浏览器申请人");
  await dialog.getByLabel("接收邮箱").fill("a@b.cn");
  await dialog.getByLabel("开票金额").fill("99999999");
  await dialog.getByRole("button", { name: "提交申请" }).click();
  await dialog.getByText("超过可开票金额").waitFor();
  await axe(page);
  await dialog.getByLabel("开票金额").fill("1");
  await dialog.getByRole("button", { name: "提交申请" }).click();
  await toast(page, "开票已申请，等待审核");
  await act(page, rowOf(page, "浏览器申请人").first(), "撤回");
  await question(page).getByRole("button", { name: "撤回" }).click();
  await toast(page, "申请已撤回");
});
