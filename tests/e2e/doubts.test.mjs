/** /plan/push-list in the browser: leads in doubt, whose organisation may or may not have them. */
import assert from "node:assert/strict";

import { axe, call, flow, toast, visit } from "./support.mjs";

const rowOf = (page, no) => page.locator("tbody tr", { has: page.getByText(no, { exact: true }) });

flow("of two who find out about one lead the second is told that it was said already; who said so is seen", { as: "operator" }, async (page) => {
  const { list } = await call("POST", "/plan/push/page", { status: "unconfirmed" }, "operator");
  const [{ id, no }] = list;
  await visit(page, "/plan/push-list?status=unconfirmed");
  await rowOf(page, no).getByRole("button", { name: "确认已收到" }).click();
  const dialog = page.getByRole("dialog", { name: no });
  await dialog.getByLabel("核实方式").fill("机构回电");
  await axe(page);
  await call("PUT", "/plan/push/resolve", { id, status: "unconfirmed", decision: "not_taken", note: "与机构王经理通话" }, "director");
  await dialog.getByRole("button", { name: "确认已收到" }).click();
  await dialog.getByRole("alert").getByText("记录已被他人修改").waitFor();
  await dialog.getByRole("button", { name: "取消" }).click();

  // The lead is not in doubt any more, and shows how it ended.
  await visit(page, `/plan/push-list?keyword=${no}`);
  const row = rowOf(page, no);
  await row.getByText("失败").first().waitFor();
  await row.getByRole("link", { name: no, exact: true }).click();
  await page.getByText("失败：经核实机构没有这条线索，不收费。").waitFor();
  await axe(page);
  await page.locator(".ll-tabs").getByRole("link", { name: "推送过程" }).click();
  const main = page.locator("#main");
  await main.getByText("人工处理记录").waitFor();
  await main.getByText("机构未收到").waitFor();
  await main.getByText("与机构王经理通话").waitFor();
  await axe(page);
});

flow("a lead that its organisation has is settled, and tells who found out", { as: "director", width: 360, height: 740 }, async (page) => {
  const { list } = await call("POST", "/plan/push/page", { status: "unconfirmed" }, "operator");
  const [{ no }] = list;
  await visit(page, `/plan/push-list?keyword=${no}`);
  await rowOf(page, no).getByRole("button", { name: "更多" }).or(rowOf(page, no).getByRole("button", { name: "确认已收到" })).first().click();
  const item = page.getByRole("menuitem", { name: "确认已收到" });
  if (await item.count()) await item.click();
  const dialog = page.getByRole("dialog", { name: no });
  await dialog.getByLabel("核实方式").fill("机构邮件确认");
  await dialog.getByRole("button", { name: "确认已收到" }).click();
  await toast(page, "核实结果已保存");
  await rowOf(page, no).getByText("成功").first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});
