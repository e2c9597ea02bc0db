/** /crm/money and /crm/achievements in the browser: money is entered with a proof, confirmed by a second person, and counted. */
import assert from "node:assert/strict";

import { axe, call, flow, openPage, toast, visit } from "./support.mjs";

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const month = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);
const asks = (page) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
const rowOf = (page, text) => page.locator(".ll-table-box tbody tr", { has: page.getByText(text, { exact: true }) });

/** An open clue of the salesperson. */
async function ownClue() {
  const me = await call("GET", "/crm/get", undefined, "north.sales1");
  const clues = await call("POST", "/crm/pushPage", { ownerId: me.adminId, state: "open", pageSize: 1 }, "admin");
  return { ...clues.list[0], sales: me.adminId };
}

/** What the salesperson received this month, in fen. */
async function fees(sales) {
  const query = { objectType: "person", objectId: sales, metric: "fee_received" };
  return (await call("POST", "/crm/achievements/page", query, "north.manager")).list[0].actual;
}

flow("money is entered with a proof, confirmed by a second person, and counts", { as: "north.sales1" }, async (page) => {
  const clue = await ownClue();
  const before = await fees(clue.sales);
  await visit(page, "/crm/money");
  await page.getByRole("button", { name: "录入收款" }).click();
  const dialog = page.getByRole("dialog", { name: "录入收款" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("请选择付款时间").waitFor();
  await dialog.getByLabel("线索编号").fill(clue.no.toLowerCase());
  await dialog.getByLabel("金额").fill("1234.5");
  await dialog.getByLabel("放款额").fill("100000");
  await dialog.getByLabel("付款时间").fill(`${month()}-01T00:30`);
  await dialog.locator("input[type=file]").setInputFiles({ name: "回单.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") });
  await dialog.getByText("回单.png").first().waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "收款已录入，等待确认");
  const [{ no }] = (await call("POST", "/crm/moneyPage", { clueId: clue.id, status: "pending" }, "north.manager")).list;
  const row = rowOf(page, no);
  await row.getByText("1,234.50").waitFor();
  assert.equal(await row.getByRole("button", { name: "确认" }).count(), 0, "the author cannot confirm an entry");
  assert.equal(await fees(clue.sales), before, "what waits does not count");

  const { page: other, context } = await openPage({ as: "north.manager" });
  await visit(other, `/crm/money?keyword=${no}`);
  await other.getByRole("link", { name: no }).click();
  await other.waitForURL(/\/crm\/money\/\d+$/);
  await other.getByRole("link", { name: "回单.png" }).first().waitFor();
  await axe(other);
  await other.getByRole("button", { name: "确认" }).click();
  await asks(other).getByRole("button", { name: "确认" }).click();
  await toast(other, "收款已确认");

  // The list of days has it on the day of payment, and the number of records opens them.
  await visit(other, "/crm/money-days");
  const days = await call("POST", "/crm/orgMoney/list", {}, "north.manager");
  const [{ paidAt }] = (await call("POST", "/crm/moneyPage", { keyword: no }, "north.manager")).list;
  const day = days.find(({ id }) => id === Math.floor((paidAt + 28_800_000) / 86_400_000));
  await axe(other);
  await rowOf(other, day.day).getByRole("link").click();
  await other.waitForURL(/status=confirmed/);
  await other.getByText(`共 ${day.count} 条`).waitFor();
  assert.equal(await fees(clue.sales), before + 123_450);

  // The salesperson's number opens the records that it adds up.
  await visit(other, `/crm/achievements?objectType=person&metric=fee_received`);
  const name = (await call("GET", "/crm/get", undefined, "north.sales1")).name;
  const shown = ((before + 123_450) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  await rowOf(other, name).getByRole("link", { name: shown, exact: true }).click();
  await other.waitForURL(/\/crm\/money\?paidFrom=/);
  await other.locator(".ll-table-box tfoot").getByText(`已确认 ${shown}`, { exact: true }).waitFor();
  await rowOf(other, no).waitFor();
  await context.close();
});

flow("targets are set for a month, and copied to the next", { as: "north.manager" }, async (page) => {
  const me = await call("GET", "/crm/get", undefined, "north.sales1");
  await visit(page, `/crm/achievements?objectType=person&metric=signed`);
  await page.locator(".ll-chart-picture").first().waitFor();
  await rowOf(page, me.name).getByRole("button", { name: "设定目标" }).click();
  const dialog = page.getByRole("dialog", { name: `${me.name} 的目标` });
  await dialog.getByLabel("签约数").fill("17");
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  // The charts are drawn by the server: the document is loaded again, with the new target.
  await rowOf(page, me.name).getByText("17", { exact: true }).waitFor();
  const [year, number] = month().split("-").map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
  // All of a month in one table: last month's are filled in, and nothing is saved before the button is pressed.
  await page.getByRole("button", { name: `设定 ${next} 的目标` }).click();
  const table = page.getByRole("dialog", { name: `${next} 的目标` });
  await table.getByRole("button", { name: `填入 ${month()} 的目标` }).click();
  assert.equal(await table.getByLabel(`${me.name} 签约数`).inputValue(), "17");
  await table.getByRole("button", { name: "取消" }).click();
  await asks(page).getByRole("button", { name: "放弃修改" }).click();
  await table.waitFor({ state: "hidden" });
  await visit(page, `/crm/achievements?month=${next}&objectType=person&metric=signed`);
  await page.getByRole("button", { name: `将 ${month()} 的目标复制到 ${next}` }).click();
  await asks(page).getByRole("button", { name: "复制上月目标" }).click();
  await rowOf(page, me.name).getByText("17", { exact: true }).waitFor();
});

flow("on a phone, in English and in the dark, it is all there", { as: "north.manager", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  for (const [address, heading] of [["/crm/money", "Payments"], ["/crm/achievements", "Achievements"]]) {
    await visit(page, address);
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    await page.locator(".ll-table-box tbody tr").first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, `${address} is wider than the screen`);
    await axe(page);
  }
});

flow("both lists read without JavaScript", { as: "north.manager", script: false }, async (page) => {
  await page.goto("/crm/achievements?metric=loan_amount&objectType=company");
  await page.getByRole("heading", { name: "业绩", exact: true }).waitFor();
  await page.locator(".ll-chart [role=img] svg").locator("visible=true").first().waitFor();
  const number = page.locator(".ll-cards tbody tr").first().locator("td a.ll-link").first();
  const text = await number.innerText();
  await number.click();
  await page.waitForURL(/\/crm\/money\?paidFrom=/);
  await page.locator(".ll-table-box tfoot").getByText(`已确认 ${text}`, { exact: true }).waitFor();
});

flow("a month that is none has no rows, and does not break the page", { as: "north.manager" }, async (page) => {
  await visit(page, "/crm/achievements?month=nonsense");
  await page.getByText("没有符合条件的记录").waitFor();
  await page.getByRole("button", { name: new RegExp(`的目标复制到 ${month()}$`) }).waitFor();
});
