/** A choice among many: a select that becomes a combobox when it is used, and searches on the server. */
import assert from "node:assert/strict";

import { axe, call, flow, toast, visit } from "./support.mjs";

const query = (page) => new URL(page.url()).searchParams;

flow("a filter is searched by keys", { as: "admin" }, async (page) => {
  const [north] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  await visit(page, "/plan/list");
  const filter = page.getByRole("combobox", { name: "机构" });
  await filter.focus();
  // The choices do not show the code: the server finds it.
  await page.keyboard.type("north-s", { delay: 30 });
  await page.getByRole("listbox").getByRole("option", { name: "北辰 North Star" }).waitFor();
  await axe(page);
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("combobox", { name: "机构" }).inputValue(), "北辰 North Star");
  await page.keyboard.press("Enter");
  await page.waitForURL(/orgId=/);
  await page.waitForFunction(() => document.querySelector(".ll-pages [name=orgId]"));
  assert.equal(query(page).get("orgId"), String(north.id));
  assert.equal(await page.getByRole("combobox", { name: "机构" }).inputValue(), "北辰 North Star");

  // Without its text, no choice is made.
  await page.getByRole("combobox", { name: "机构" }).fill("");
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL((url) => !url.searchParams.has("orgId"));
});

flow("a filter is searched by pointer, and reset", { as: "admin", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  await visit(page, "/user/list");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("search").getByText("More", { exact: true }).click();
  await page.getByRole("combobox", { name: "Channel" }).click();
  await page.getByRole("listbox").getByRole("option").nth(1).click();
  const chosen = await page.getByRole("combobox", { name: "Channel" }).inputValue();
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/channelId=/);
  const channels = await call("GET", "/channel/options", undefined, "admin");
  assert.equal(channels.find(({ value }) => String(value) === query(page).get("channelId")).label, chosen);
  await page.getByRole("button", { name: "Filters 1" }).click();
  await page.getByRole("link", { name: "Reset" }).click();
  await page.waitForURL((url) => url.search === "");
});

flow("without JavaScript it is a select", { as: "admin", script: false }, async (page) => {
  const [north] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  await page.goto("/plan/list");
  const organisation = page.getByLabel("机构", { exact: true });
  await organisation.selectOption({ label: "北辰 North Star" });
  await page.getByRole("button", { name: "查询" }).click();
  assert.equal(query(page).get("orgId"), String(north.id));
  assert.equal(await organisation.inputValue(), String(north.id));
});

flow("a form has one, too", { as: "finance" }, async (page) => {
  await visit(page, "/org/receipt");
  await page.getByRole("button", { name: "新增收款单" }).click();
  const dialog = page.getByRole("dialog", { name: "新增收款单" });
  await dialog.getByRole("combobox", { name: "机构" }).click();
  await page.keyboard.type("southern-c", { delay: 30 });
  await page.getByRole("listbox").getByRole("option", { name: "南十字 Southern Cross" }).click();
  await axe(page);
  await dialog.getByLabel("收款主体").selectOption({ index: 1 });
  await dialog.getByLabel("金额").fill("1");
  await dialog.getByLabel("付款时间").fill("2026-01-15T10:30");
  await dialog.getByLabel("付款人").fill("查找付款人");
  await dialog.getByLabel("流水号").fill("SEARCH-1");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "收款单已新增");
  const [row] = (await call("POST", "/org/receipt/page", { keyword: "查找付款人" }, "admin")).list;
  assert.equal(row.orgName, "南十字 Southern Cross");
});
