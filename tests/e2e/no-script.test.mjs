/** JavaScript off: sign-in, lists, filters, sorting, pages and the language still work. */
import assert from "node:assert/strict";
import { call, flow, PASSWORD, server } from "./support.mjs";

const names = (page) => page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.querySelector("th").textContent));
const query = (page) => new URL(page.url()).searchParams;

// S1.01 S2.19
flow("signing in is a plain form", { script: false }, async (page) => {
  await page.goto("/channel/list?keyword=a&current=2");
  assert.equal(page.url(), `${server.origin}/login?redirect=channelList&keyword=a&current=2`);
  await page.getByLabel("用户名").fill("operator");
  await page.getByLabel("密码", { exact: true }).fill("not-the-password-1");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByRole("alert").getByText("账号或者密码错误").waitFor();
  await page.getByLabel("用户名").fill("operator");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.waitForURL("/channel/list?keyword=a&current=2");
  await page.getByRole("heading", { name: "渠道列表" }).waitFor();
});

// S5.01
flow("an empty form says what is missing", { script: false }, async (page) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByRole("alert").getByText("用户名不能为空").waitFor();
});

flow("signing in without scripts hands the token to the scripts of the next page", { allow: [/\.js/] }, async (page) => {
  // The form is posted before its script is loaded.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/login?redirect=channelList");
  await page.getByLabel("用户名").fill("operator");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.unroute("**/assets/*.js");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.waitForURL("/channel/list");
  await page.waitForFunction(() => localStorage.getItem("token") !== null);
  const answer = page.waitForResponse("**/api/channel/page");
  await page.getByRole("button", { name: "刷新" }).click();
  assert.equal((await (await answer).json()).code, "0000");
});

// S1.02
flow("the list filters, sorts and turns pages", { as: "operator", script: false }, async (page) => {
  await page.goto("/channel/list");
  assert.equal((await names(page)).length, 20);

  await page.getByLabel("关键词").fill("api");
  await page.getByLabel("状态").selectOption({ label: "启用" });
  await page.getByRole("button", { name: "查询" }).click();
  assert.equal(query(page).get("keyword"), "api");
  const expected = await call("POST", "/channel/page", { keyword: "api", status: "enabled" }, "operator");
  assert.ok(expected.total > 0);
  await page.getByText(`共 ${expected.total} 条`).waitFor();
  assert.deepEqual(await names(page), expected.list.map(({ name }) => name));
  assert.equal(await page.getByLabel("关键词").inputValue(), "api", "the form shows what it filters by");

  await page.goto("/channel/list");
  await page.getByRole("link", { name: "渠道编码" }).click();
  assert.deepEqual([query(page).get("sort"), query(page).get("order")], ["code", "asc"]);
  await page.getByRole("link", { name: "下一页" }).click();
  assert.equal(query(page).get("current"), "2");
  const second = await call("POST", "/channel/page", { sort: "code", order: "asc", current: 2 }, "operator");
  assert.deepEqual(await names(page), second.list.map(({ name }) => name));

  await page.getByLabel("每页条数").selectOption("50");
  await page.getByRole("button", { name: "应用" }).click();
  assert.equal(query(page).get("pageSize"), "50");
  assert.equal(query(page).get("sort"), "code", "the order is kept");
  assert.equal((await names(page)).length, 40);

  await page.getByRole("link", { name: "重置" }).click();
  assert.equal(new URL(page.url()).search, "");
});

flow("an address alone filters and pages", { as: "operator", script: false }, async (page) => {
  await page.goto("/channel/list?keyword=a&current=2&pageSize=3");
  const expected = await call("POST", "/channel/page", { keyword: "a", current: 2, pageSize: 3 }, "operator");
  assert.equal(expected.list.length, 3);
  assert.deepEqual(await names(page), expected.list.map(({ name }) => name));
  await page.getByRole("link", { name: "第 2 页" }).and(page.locator("[aria-current=page]")).waitFor();
});

// S2.34 S9.08
flow("the language cookie is enough", { as: "admin", locale: "en-US", script: false }, async (page) => {
  await page.goto("/admin/list");
  await page.getByRole("heading", { name: "Administrators" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en-US");
  await page.getByLabel("Status").selectOption({ label: "Enabled" });
  await page.getByRole("button", { name: "Search", exact: true }).click();
  assert.equal(query(page).get("status"), "enabled");
});

flow("the menu opens and leads on, wide and narrow", { as: "admin", script: false, width: 360, height: 640 }, async (page) => {
  await page.goto("/channel/list");
  const sider = page.locator("#sider");
  assert.ok(!(await sider.isVisible()));
  await page.getByRole("button", { name: "打开菜单" }).click();
  await sider.getByText("系统管理", { exact: true }).click();
  await sider.getByRole("link", { name: "管理员列表" }).click();
  await page.waitForURL("/admin/list");
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.locator("#sider").getByText("渠道管理", { exact: true }).click();
  await page.locator("#sider").getByRole("link", { name: "渠道列表" }).click();
  await page.waitForURL("/channel/list");
});

flow("theme, language and signing out are plain forms", { as: "operator", script: false }, async (page) => {
  await page.goto("/channel/list?type=api");
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "深色模式" }).click();
  await page.waitForURL("/channel/list?type=api");
  assert.ok(await page.locator("body[dark]").isVisible());
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "Channel list" }).waitFor();
  assert.equal(new URL(page.url()).search, "?type=api");
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("/login");
  await page.goto("/channel/list");
  assert.equal(new URL(page.url()).pathname, "/login");
});
