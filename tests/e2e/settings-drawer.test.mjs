/** The settings drawer: what it changes, for how long, and the use of its copy. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { axe, flow, serve, server, until, visit } from "./support.mjs";

const GEAR = "页面配置";

async function openDrawer(page) {
  await page.getByRole("button", { name: GEAR }).click();
  const drawer = page.getByRole("dialog", { name: "页面配置" });
  await drawer.waitFor();
  return drawer;
}

const colorOf = (page) => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--primary-6").trim().toLowerCase());

// S2.30 S2.31 S9.07
flow("the drawer is 300 px wide, opens from the floating button and closes by its button", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const gear = page.getByRole("button", { name: GEAR });
  assert.equal(await gear.evaluate((button) => getComputedStyle(button).position), "fixed", "the button floats");
  const cards = await page.locator(".ll-card").evaluateAll((all) => all.map((card) => card.getBoundingClientRect().right));
  assert.ok(Math.max(...cards) <= (await gear.boundingBox()).x, "it covers no card");
  const drawer = await openDrawer(page);
  await page.waitForFunction(() => Math.round(document.querySelector(".ll-dialog").getBoundingClientRect().right) === innerWidth);
  assert.equal(Math.round((await drawer.boundingBox()).width), 300);
  await axe(page);
  await drawer.getByRole("button", { name: "关闭", exact: true }).last().click();
  await drawer.waitFor({ state: "detached" });
});

flow("on a narrow screen the drawer opens from the user panel", { as: "admin" }, async (page) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await visit(page, "/channel/list");
  assert.equal(await page.getByRole("button", { name: GEAR }).count(), 0);
  await page.getByRole("button", { name: "打开菜单" }).click();
  await page.locator(".app-user-button").click();
  const drawer = await openDrawer(page);
  await axe(page);
  await drawer.getByRole("button", { name: "关闭", exact: true }).last().click();
  await drawer.waitFor({ state: "detached" });
});

// S2.31 S4.06 S9.02
flow("its switches change the page at once, and a reload brings the page back", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const drawer = await openDrawer(page);
  const within = page.locator(".app");
  const turn = (name) => drawer.getByRole("switch", { name, exact: true }).click();

  await turn("导航栏");
  await within.locator(".app-navbar").waitFor();
  assert.equal(await within.locator(".app-sider .app-user").count(), 0, "the user is in the navbar");
  await turn("底部");
  await within.locator(".app-footer").waitFor();
  await turn("多页签");
  await within.locator(".app-tabs").waitFor({ state: "detached" });
  await turn("菜单栏");
  await within.locator(".app-sider").waitFor({ state: "detached" });
  await turn("导航栏");
  await within.locator(".app-navbar .app-user").waitFor(); // Users can always sign out.
  await turn("菜单栏");
  await within.locator(".app-sider .app-user").waitFor();

  assert.equal(await page.title(), "Leadlane");
  await turn("浏览器标题显示记录和页面名称");
  await until(async () => (await page.title()) === "渠道列表 · Leadlane", "the title with the page");

  const links = within.locator('.app-menu a[target="_blank"]');
  assert.equal(await links.count(), 2);
  await turn("在菜单中显示外部链接");
  await until(async () => (await links.count()) === 0, "the menu without links to other sites");

  assert.equal(await drawer.getByLabel("菜单宽度（px）").getAttribute("type"), "number");
  await drawer.getByLabel("菜单宽度（px）").fill("300");
  await page.waitForFunction(() => document.querySelector(".app-sider").getBoundingClientRect().width === 300);
  await drawer.getByLabel("菜单宽度（px）").fill("30");
  await page.waitForFunction(() => document.querySelector(".app-sider").getBoundingClientRect().width === 300);

  await page.reload();
  await page.locator(".app-tabs").waitFor();
  assert.equal(await page.locator(".app-footer").count(), 0);
  assert.equal(await page.evaluate(() => document.querySelector(".app-sider").getBoundingClientRect().width), 220);
});

// S2.31 S4.06 S6.02
flow("without the server's menu the route table's is shown; turning it on fetches it first", { as: "operator", allow: [/the menu could not be fetched/] }, async (page) => {
  await visit(page, "/channel/list");
  const links = () => page.locator(".app-menu a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const fromServer = await links();
  const drawer = await openDrawer(page);
  const toggle = drawer.getByRole("switch", { name: "菜单来源于后台" });
  await toggle.click();
  assert.equal(await toggle.isChecked(), false);
  assert.deepEqual([...(await links())].sort(), [...fromServer].sort(), "only what this role reaches");

  await page.route("**/api/menu/listByToken", (route) => route.fulfill({ json: { code: "5000", desc: "broken", data: null } }), { times: 1 });
  const refused = page.waitForResponse("**/api/menu/listByToken");
  await toggle.click();
  await refused;
  await page.waitForFunction(() => !document.querySelectorAll(".ll-dialog [role=switch]")[4].checked);
  const fetched = page.waitForResponse("**/api/menu/listByToken");
  await toggle.click();
  assert.equal((await (await fetched).json()).code, "0000");
  await page.waitForFunction((count) => document.querySelectorAll(".app-menu a").length === count, fromServer.length);
  assert.deepEqual(await links(), fromServer);
});

// S2.32 S4.07 S9.02
flow("theme colour and colour weakness reach the whole page, popups too", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  assert.equal(await colorOf(page), "#165dff");
  const drawer = await openDrawer(page);
  assert.equal(await drawer.getByRole("list", { name: "由主题色生成的十级色阶" }).getByRole("listitem").count(), 10);
  await drawer.getByRole("button", { name: "#00B42A" }).click();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue("--primary-6").trim() === "#00b42a");
  await axe(page);
  await drawer.getByRole("switch", { name: "色弱模式" }).click();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).filter === "invert(0.8)");
  await drawer.getByRole("switch", { name: "色弱模式" }).click();
  await page.waitForFunction(() => getComputedStyle(document.documentElement).filter === "none");
});

// S2.32
flow("the language is chosen in the drawer and stays", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const drawer = await openDrawer(page);
  await drawer.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { level: 1, name: "Channel list" }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("locale")), "en-US");
});

// S2.33
flow("copied settings are a settings file, which the server then starts with", { as: "admin", allow: [/request to another host/] }, async (page) => {
  await visit(page, "/channel/list");
  const drawer = await openDrawer(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await drawer.getByText("配置之后仅是临时生效").waitFor();
  assert.match(await drawer.getByRole("note").textContent(), /请点击下方的“复制配置”，将配置替换到 settings\.json 中/);
  await drawer.getByRole("button", { name: "#722ED1" }).click();
  await drawer.getByRole("switch", { name: "导航栏" }).click();
  await drawer.getByRole("button", { name: "复制配置" }).click();
  await page.getByText("复制成功，请粘贴到 settings.json 文件中").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(JSON.parse(copied), {
    theme: "light", themeColor: "#722ED1", menuWidth: 220, device: "desktop", tabBar: true, menuFromServer: true,
    navbar: true, footer: false, menu: true, menuCollapse: false, colorWeak: false, pageTitle: false, links: true,
  });

  await writeFile(path.join(server.data, "settings.json"), copied);
  const second = await serve();
  try {
    await page.goto(`${second.origin}/login`);
    assert.equal(await colorOf(page), "#722ed1");
    const html = await (await fetch(`${second.origin}/login`)).text();
    assert.match(html, /:root\{--menu-width:220px\}:root\{--primary-1:#f5e8ff;/, "before any script");
  } finally {
    // Chunks that the page has not fetched yet would fail.
    await page.goto("about:blank");
    await second.stop();
    await rm(path.join(server.data, "settings.json"));
  }
});
