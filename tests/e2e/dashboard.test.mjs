/** The server dashboard and the monitor: complete before scripts, refreshed while the page is visible. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { documentOf, flow, hydrated, until, visit } from "./support.mjs";

/** How often the pages refresh; the tests advance the clock. */
const EVERY_MS = 5000;

/** Counts the calls for the server's state, and those that were answered. */
function countCalls(page) {
  const calls = { made: 0, answered: 0 };
  const counted = (name) => (request) => request.url().endsWith("/api/server/status") && calls[name]++;
  page.on("request", counted("made"));
  page.on("requestfinished", counted("answered"));
  return calls;
}

// S1.12
flow("the server dashboard shows its figures before any script", { as: "admin", script: false }, async (page) => {
  await page.goto("/dashboard/server");
  for (const part of ["请求", "渲染", "数据库", "内存与 CPU", "匹配", "发件箱"]) await page.getByRole("heading", { level: 2, name: part }).waitFor();
  await page.getByText("正常").first().waitFor();
  const { text } = await documentOf("/dashboard/server", { as: "admin" });
  assert.match(text, /节点 [^<]+，版本 \d/);
});

flow("the monitor renews itself, rests when it is told to and when nobody can see it", { as: "admin" }, async (page) => {
  const calls = countCalls(page);
  await page.clock.install();
  await visit(page, "/dashboard/monitor");
  await page.getByRole("img", { name: /响应时间 P95/ }).waitFor();
  assert.equal(calls.made, 0, "the first state came with the page");

  await page.clock.runFor(EVERY_MS + 100);
  // Waits for the answer before the clock goes on, or the call would time out.
  await until(() => calls.answered === 1, "the first renewal");
  await page.getByRole("row", { name: /^页面/ }).waitFor();

  await page.getByRole("button", { name: "停止刷新" }).click();
  await page.clock.runFor(4 * EVERY_MS);
  assert.equal(calls.made, 1);
  await page.getByRole("button", { name: "继续刷新" }).click();
  await page.clock.runFor(EVERY_MS + 100);
  await until(() => calls.answered === 2, "a renewal after going on");

  await hide(page, true);
  await page.clock.runFor(4 * EVERY_MS);
  assert.equal(calls.made, 2, "a hidden page asks for nothing");
  await hide(page, false);
  await until(() => calls.answered === 3, "a renewal when it is seen again");
});

flow("a server that does not answer is told, and the old figures stay", { as: "admin", allow: [/Failed to (fetch|load)|ERR_FAILED/] }, async (page) => {
  await page.clock.install();
  await visit(page, "/dashboard/server");
  await page.route("**/api/server/status", (route) => route.abort());
  await page.clock.runFor(EVERY_MS + 100);
  await page.getByText("没有取到最新数据，正在重试").waitFor();
  await page.getByText("SQLite").waitFor();
  await page.unroute("**/api/server/status");
  await page.clock.runFor(EVERY_MS + 100);
  await page.getByText("没有取到最新数据，正在重试").waitFor({ state: "detached" });
});

flow("who may not see the server finds no page of it", { as: "north.manager", allow: [/status of 404/] }, async (page) => {
  const response = await visit(page, "/dashboard/monitor");
  assert.equal(response.status(), 404);
  assert.equal(await page.getByRole("link", { name: "监控" }).count(), 0);
});

/** Makes the page believe that its tab is in the background, or in front again. */
function hide(page, isHidden) {
  return page.evaluate((isHidden) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (isHidden ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** The bytes of scripts that the page has loaded, as they came. */
function scripts(page) {
  return page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
}

// S1.12
flow("charts are drawn by the server, whichever way one comes to them", { as: "admin" }, async (page) => {
  await visit(page, "/admin/login-log");
  const without = await scripts(page);
  const drawn = page.waitForResponse((response) => new URL(response.url()).pathname === "/visualization" && response.request().resourceType() === "document");
  await page.getByRole("link", { name: "仪表盘" }).or(page.locator("summary", { hasText: "仪表盘" })).first().click();
  await page.getByRole("link", { name: "数据可视化" }).click();
  await drawn;
  await hydrated(page);
  const picture = page.getByRole("img", { name: /^渠道类型：/ });
  await picture.locator("svg").waitFor();
  const ink = () => picture.locator('[fill="var(--chart-1)"]').first().evaluate((part) => getComputedStyle(part).fill);
  const light = await ink();
  await page.evaluate(() => document.documentElement.setAttribute("data-theme", "dark"));
  // A change of colour may take a frame.
  await until(async () => (await ink()) !== light, "a picture to follow the theme without being drawn again");

  const withCharts = await scripts(page);
  assert.ok(withCharts < without + 15 * 1024, `${withCharts} bytes of scripts, ${without} without charts: ECharts stays on the server`);
});

flow("a chart's range is its address, its table and its files are its figures", { as: "admin", script: true }, async (page) => {
  await visit(page, "/visualization?days=7");
  await page.getByRole("link", { name: "近 7 天", exact: true }).and(page.locator("[aria-current]")).waitFor();
  const card = page.locator(".ll-chart", { has: page.getByRole("heading", { name: "每日操作" }) });
  const types = page.locator(".ll-chart", { has: page.getByRole("heading", { name: "渠道类型" }) });
  await types.getByText("数据表").click();
  assert.equal(await types.locator("tfoot td").textContent(), "40", "the demo's channels");
  const [csv] = await Promise.all([page.waitForEvent("download"), types.getByRole("button", { name: /CSV/ }).click()]);
  assert.equal(csv.suggestedFilename(), "channels-by-type.csv");
  const rows = (await readFile(await csv.path(), "utf8")).trim().split("\r\n");
  assert.equal(rows.slice(1).reduce((sum, row) => sum + Number(row.split(",").at(-1)), 0), 40);
  const [png] = await Promise.all([page.waitForEvent("download"), types.getByRole("button", { name: /PNG/ }).click()]);
  const bytes = await readFile(await png.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(bytes.length > 5000, `${bytes.length} bytes are no picture`);

  await page.getByLabel("从").fill("2020-01-01");
  await page.getByLabel("到").fill("2020-01-03");
  await page.getByRole("button", { name: "查看" }).click();
  await page.waitForURL(/from=2020-01-01&to=2020-01-03/);
  await hydrated(page);
  assert.equal(await page.getByLabel("到").inputValue(), "2020-01-03");
  await card.getByText("这段时间没有数据").waitFor();
});
