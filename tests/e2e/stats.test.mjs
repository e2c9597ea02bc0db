/** Statistics: each number opens the list of what it adds up. */
import assert from "node:assert/strict";
import { axe, flow, hydrated, visit } from "./support.mjs";

/** The numbers of the list that open a list behind them: text and address. */
const links = (page) =>
  page
    .getByRole("table")
    .last()
    .locator("tbody td a.ll-link[href*='From=']")
    .evaluateAll((all) => all.map((link) => ({ text: link.textContent.trim(), href: link.getAttribute("href") })));

// S1.11 S2.07
flow("numbers of statistics open the lists behind them", { as: "admin" }, async (page) => {
  await visit(page, "/chart/channel-list?sort=sales&order=desc");
  const found = await links(page);
  const by = (path) => found.find(({ href }) => href.startsWith(path));
  const people = by("/user/list");
  assert.ok(people && by("/plan/push-list") && by("/channel/uv-list"), JSON.stringify(found));
  for (const { text, href } of [people, by("/plan/push-list")]) {
    await page.goto(href);
    await hydrated(page);
    await page.getByText(`共 ${text} 条`).first().waitFor();
  }
});

flow("the numbers open without scripts, and only for viewers who may list what is behind", { as: "north.manager", script: false }, async (page) => {
  await page.goto("/chart/org-list");
  const found = await links(page);
  assert.ok(found.some(({ href }) => href.startsWith("/plan/push-list")), JSON.stringify(found));
  assert.ok(!found.some(({ href }) => href.startsWith("/channel/")), JSON.stringify(found));
});

flow("a range that is too long is refused in words, not by a broken page", { as: "admin" }, async (page) => {
  await visit(page, "/chart/score-list?dayFrom=2016-01-01&dayTo=2026-01-01");
  await page.getByText("最多查询两年").first().waitFor();
});

// S1.12
flow("the overview begins with today, whose numbers open their lists", { as: "admin" }, async (page) => {
  await visit(page, "/visualization");
  const today = page.getByRole("region", { name: "今日经营" });
  const people = today.getByRole("link", { name: /申请人数/ });
  assert.match(await people.getAttribute("href"), /^\/user\/list\?test=no&createdFrom=/);
  await page.getByRole("heading", { name: "毛利变化" }).waitFor();
  await visit(page, "/dashboard/workplace");
  await page.getByRole("region", { name: "今日经营" }).getByRole("link", { name: /成交条数/ }).waitFor();
});

flow("a view is saved, opens the page, and is deleted", { as: "admin" }, async (page) => {
  await visit(page, "/chart/product-list");
  const bar = page.getByRole("navigation", { name: "视图" });
  const shown = page.getByRole("table").last().getByRole("columnheader", { name: "名称", exact: true });
  await page.getByRole("button", { name: "选择日期" }).first().click();
  await page.getByRole("link", { name: "本月", exact: true }).first().click();
  await page.waitForURL(/dayFrom=/);
  await hydrated(page);
  await bar.getByRole("button", { name: "保存为视图" }).click();
  const dialog = page.getByRole("dialog", { name: "保存为视图" });
  await dialog.getByLabel("视图名称").fill("本月产品");
  await dialog.getByLabel("打开页面时默认使用").check();
  await dialog.getByLabel("日期范围").selectOption({ label: "本月" });
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.waitForURL(/range=month&view=\d+$/);
  // The page opens with it.
  await visit(page, "/chart/product-list");
  assert.match(page.url(), /range=month&view=\d+$/);
  await shown.waitFor();
  assert.equal(await bar.locator("[aria-current]").innerText().then((text) => text.replace(/\s+/g, "")), "本月产品（默认）");
  await bar.getByRole("button", { name: "删除视图" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "删除视图" }).click();
  await page.waitForURL((url) => url.search === "");
  await bar.getByRole("link", { name: "标准" }).waitFor();
  assert.equal(await bar.getByRole("link").count(), 1);
});
