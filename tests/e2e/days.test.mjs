/** Days among the filters of a list: the stretches at a press, the calendar, days that are typed. */
import assert from "node:assert/strict";

import { axe, call, flow, visit } from "./support.mjs";

const query = (page) => new URL(page.url()).searchParams;
const today = () => new Date().toLocaleDateString("sv-SE", { timeZone: "Asia/Shanghai" });

flow("a stretch of days is one press, and keeps what else is typed", { as: "admin" }, async (page) => {
  await visit(page, "/org/receipt?status=confirmed");
  await page.getByText("更多条件").click();
  await page.getByLabel("关键词").fill("RC");
  await page.getByRole("button", { name: "选择付款时间" }).click();
  const days = page.getByRole("dialog", { name: "付款时间" });
  await days.getByRole("grid").waitFor();
  await axe(page);
  await days.getByRole("link", { name: "本月" }).click();
  await page.waitForURL(/paidFrom/);
  assert.equal(query(page).get("paidFrom"), `${today().slice(0, 8)}01`);
  assert.equal(query(page).get("paidTo"), today());
  assert.equal(query(page).get("keyword"), "RC");
  assert.equal(query(page).get("status"), "confirmed");
  assert.equal(await days.isVisible(), false);
  assert.equal(await page.getByLabel("付款时间：从").inputValue(), query(page).get("paidFrom"));
});

flow("a stretch of days without JavaScript", { as: "admin", script: false }, async (page) => {
  await page.goto("/org/receipt?status=confirmed&keyword=RC");
  await page.getByText("更多条件").click();
  await page.getByRole("button", { name: "选择付款时间" }).click();
  await page.getByRole("link", { name: "近 7 天" }).click();
  await page.waitForURL(/paidFrom/);
  assert.equal(query(page).get("paidTo"), today());
  assert.equal(query(page).get("status"), "confirmed");
  const { total } = await call("POST", "/org/receipt/page", Object.fromEntries(query(page)), "admin");
  await page.getByText(`共 ${total} 条`).waitFor();

  // A day that is typed, as the form has it.
  await page.getByLabel("付款时间：从").fill("2026-02-30");
  await page.getByRole("button", { name: "查询" }).click();
  await page.getByText("链接中有已失效的查询条件，已忽略").waitFor();
  assert.equal(query(page).get("paidFrom"), null);
  assert.equal(query(page).get("paidTo"), today());
});

flow("days are typed in several ways, and wrong days are refused", { as: "admin", locale: "en-US", theme: "dark" }, async (page) => {
  await visit(page, "/org/receipt");
  await page.getByText("More", { exact: true }).first().click();
  const [from, to] = [page.getByLabel("Paid at: from"), page.getByLabel("Paid at: to")];
  const validation = (input) => input.evaluate((each) => each.validationMessage);
  await from.fill("2026/1/5");
  await to.fill("2026-02-30");
  await to.press("Enter");
  assert.equal(await validation(to), "Enter a date such as 2026-01-31");
  await to.fill("20260104");
  await from.focus();
  assert.equal(await from.inputValue(), "2026-01-05");
  assert.equal(await validation(to), "The last day is before the first day");
  await to.fill("2026.1.31");
  await to.press("Enter");
  await page.waitForURL(/paidFrom=2026-01-05&paidTo=2026-01-31/);
});

flow("the calendar is worked by keys", { as: "admin" }, async (page) => {
  await visit(page, "/org/receipt?paidFrom=2026-01-05&paidTo=2026-01-31");
  await page.getByRole("button", { name: "选择付款时间" }).click();
  const grid = page.getByRole("grid", { name: "2026-01" });
  await grid.getByRole("button", { name: "2026-01-31" }).focus();
  await page.keyboard.press("PageUp");
  await page.getByRole("grid", { name: "2025-12" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByText("选择结束日期").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByLabel("付款时间：从").inputValue(), "2025-12-22");
  assert.equal(await page.getByLabel("付款时间：到").inputValue(), "2025-12-25");
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(/paidFrom=2025-12-22&paidTo=2025-12-25/);
});
