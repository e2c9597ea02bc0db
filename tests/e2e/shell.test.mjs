/** The frame around every page: menu, tabs, language, theme, narrow screens, navigation. */
import assert from "node:assert/strict";
import { byMenu, documentOf, flow, hydrated, server, toast, until, visit } from "./support.mjs";

/** Everybody's first page, whose tab is fixed. */
const FIRST = "/dashboard/workplace";

const isDark = (page) => page.evaluate(() => document.body.hasAttribute("dark"));
const stored = (page, key) => page.evaluate((name) => localStorage.getItem(name), key);
const openUserPanel = (page) => page.locator(".app-user-button").click();

/** The open tabs as text, the current one in brackets. */
const tabs = (page) =>
  page.locator(".app-tabs li a").evaluateAll((links) =>
    links.map((link) => {
      const path = link.getAttribute("href");
      return link.getAttribute("aria-current") ? `[${path}]` : path;
    }),
  );
const tabsAre = (page, ...wanted) => until(async () => (await tabs(page)).join(" ") === wanted.join(" "), `the tabs ${wanted.join(" ")}`);

// S1.02 S2.18 S3.03 S3.04
flow("the menu is the viewer's, in its order, and knows where it is", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const groups = await page.locator(".app-menu summary").allTextContents();
  assert.deepEqual(groups, ["仪表盘", "渠道管理", "产品管理", "机构管理", "计划管理", "用户管理", "CRM", "财务管理", "支付配置", "客服会话", "日统计", "月统计", "项目管理", "系统管理"]);
  assert.equal(await page.locator(".app-menu [aria-current=page]").textContent(), "渠道列表");
  assert.ok(await page.getByRole("navigation", { name: "当前位置" }).getByText("渠道管理").isVisible());
  await page.evaluate(() => void (window.marked = true));
  await byMenu(page, "系统管理", "管理员列表");
  await page.waitForURL("/admin/list");
  await page.getByRole("heading", { name: "管理员列表" }).waitFor();
  assert.equal(await page.locator(".app-menu [aria-current=page]").textContent(), "管理员列表");
  assert.ok(await page.evaluate(() => window.marked), "the same document");
  assert.equal(await page.title(), "Leadlane");
  await until(async () => (await page.locator("#root .app > [role=status]").textContent()) === "管理员列表", "the page's name is announced");
});

flow("the menu folds to a strip and opens again", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const width = () => page.locator("#sider").evaluate((sider) => sider.getBoundingClientRect().width);
  assert.equal(await width(), 220);
  await page.getByRole("button", { name: "收起菜单" }).click();
  await until(async () => (await width()) < 80, "a strip");
  await page.locator(".app-menu summary").last().hover();
  const group = page.locator(".app-menu > ul > li > details").last();
  await until(() => group.evaluate((details) => details.open), "the group's entries beside the strip");
  const again = page.waitForResponse("**/api/channel/page");
  await page.getByRole("button", { name: "刷新" }).evaluate((button) => button.click());
  await (await again).finished();
  await page.locator("table[aria-busy]").waitFor({ state: "detached" });
  assert.ok(await group.evaluate((details) => details.open), "new rows leave it open");
  await page.getByRole("link", { name: "管理员列表" }).click();
  await page.waitForURL("/admin/list");
  await page.getByRole("button", { name: "展开菜单" }).click();
  await until(async () => (await width()) === 220, "the menu");
});

// S3.05
flow("a page has one tab with its latest query, and closing leads to the left neighbour", { as: "admin" }, async (page) => {
  await visit(page, FIRST);
  await tabsAre(page, `[${FIRST}]`);
  await byMenu(page, "渠道管理", "渠道列表");
  await page.waitForURL("/channel/list");
  await page.getByLabel("关键词").fill("api");
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL("/channel/list?keyword=api");
  await tabsAre(page, FIRST, "[/channel/list?keyword=api]");
  await visit(page, "/channel/list?keyword=api&type=api");
  await page.locator(".app-tabs [aria-current]", { hasText: "渠道列表 · API" }).waitFor();
  await byMenu(page, "渠道管理", "渠道列表");
  await tabsAre(page, FIRST, "[/channel/list]");
  assert.equal(await page.locator(".app-tabs [aria-current]").textContent(), "渠道列表");
  await visit(page, "/channel/list?keyword=api");
  await tabsAre(page, FIRST, "[/channel/list?keyword=api]");
  await byMenu(page, "系统管理", "管理员列表");
  await page.waitForURL("/admin/list");
  // The address changes before the page does, and the list of channels has such a field too.
  await page.getByRole("heading", { name: "管理员列表" }).waitFor();
  await page.getByLabel("关键词").fill("north");
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL("/admin/list?keyword=north");
  await tabsAre(page, FIRST, "/channel/list?keyword=api", "[/admin/list?keyword=north]");

  // Tabs survive a reload; the first cannot be closed.
  await page.reload();
  await hydrated(page);
  await tabsAre(page, FIRST, "/channel/list?keyword=api", "[/admin/list?keyword=north]");
  assert.equal(await page.locator(".app-tabs li").first().getByRole("button").count(), 0, "the first cannot be closed");

  await page.locator(".app-tabs li").last().getByRole("button", { name: /^关闭/ }).click();
  await page.waitForURL("/channel/list?keyword=api");
  await page.getByRole("heading", { name: "渠道列表" }).waitFor();
  assert.equal(await page.getByLabel("关键词").inputValue(), "api");
  await tabsAre(page, FIRST, "[/channel/list?keyword=api]");
  await page.locator(".app-tabs li").last().getByRole("button", { name: /^关闭/ }).click();
  await page.waitForURL(FIRST);
  await tabsAre(page, `[${FIRST}]`);
});

// S3.05
flow("the tab menu closes others, left, right and all, and loads anew", { as: "admin" }, async (page) => {
  const names = {
    "/dashboard/workplace": "dashboardWorkplace", "/channel/list": "channelList", "/admin/list": "adminList", "/admin/role-list": "adminRoleList",
  };
  const store = [FIRST, "/channel/list?type=api", "/admin/list", "/admin/role-list?status=enabled"].map((fullPath) => ({
    title: "?", name: names[fullPath.split("?")[0]], fullPath, query: Object.fromEntries(new URLSearchParams(fullPath.split("?")[1])),
  }));
  const reopen = async (address) => {
    await page.goto("/healthz");
    await page.evaluate((list) => sessionStorage.setItem("tabs", JSON.stringify(list)), store);
    await visit(page, address);
  };
  const choose = async (label) => {
    await page.getByRole("button", { name: "标签页操作" }).click();
    await page.getByRole("menuitem", { name: label }).click();
  };
  await reopen("/admin/list");
  await tabsAre(page, FIRST, "/channel/list?type=api", "[/admin/list]", "/admin/role-list?status=enabled");
  await choose("关闭右侧标签页");
  await tabsAre(page, FIRST, "/channel/list?type=api", "[/admin/list]");
  await choose("关闭左侧标签页");
  await tabsAre(page, FIRST, "[/admin/list]");
  await reopen("/channel/list?type=api");
  await choose("关闭其它标签页");
  await tabsAre(page, FIRST, "[/channel/list?type=api]");
  const answer = page.waitForResponse("**/api/channel/page");
  await choose("重新加载");
  await answer;
  await choose("关闭全部标签页");
  await page.waitForURL(FIRST);
  await tabsAre(page, `[${FIRST}]`);

  // By the keyboard, on another tab than the current one.
  await reopen(FIRST);
  await page.locator(".app-tabs li").last().click({ button: "right" });
  await page.getByRole("menu", { name: "标签页操作" }).waitFor();
  assert.ok(await page.getByRole("menuitem", { name: "重新加载" }).isDisabled(), "only the current page can be loaded anew");
  await page.keyboard.press("Enter");
  await tabsAre(page, `[${FIRST}]`, "/channel/list?type=api", "/admin/list");
});

// S2.34 S9.08
flow("switching the language changes the whole page, now and later", { as: "admin" }, async (page, { context }) => {
  await visit(page, "/channel/list?type=api");
  await openUserPanel(page);
  await page.getByRole("button", { name: "English" }).click();
  await toast(page, "The interface is in English now");
  await page.getByRole("heading", { name: "Channel list" }).waitFor();
  await hydrated(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "en-US");
  assert.equal(await stored(page, "locale"), "en-US");
  assert.ok((await context.cookies()).some(({ name, value }) => name === "locale" && value === "en-US"));
  assert.equal(new URL(page.url()).search, "?type=api", "the page stays");
  // The only Chinese texts left are data and the name of the other language.
  const left = await page.evaluate(() => {
    const data = document.querySelectorAll("tbody, option, .app-avatar, .app-user-name, [lang=zh-CN], #props");
    for (const element of data) element.remove();
    return document.body.innerText.match(/\p{Script=Han}+/gu) ?? [];
  });
  assert.deepEqual(left, []);
  await page.reload();
  await hydrated(page);
  await openUserPanel(page);
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("heading", { name: "渠道列表" }).waitFor();
  assert.equal(await stored(page, "locale"), "zh-CN");
});

// S2.34 S4.04
flow("the theme changes at once, stays, and comes from the server without a flash", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await openUserPanel(page);
  await page.getByRole("button", { name: "深色模式" }).click();
  assert.ok(await isDark(page));
  assert.notEqual(await ground(), light);
  assert.equal(await stored(page, "theme"), "dark");

  // The first paint is dark: the document has the theme before any script runs.
  const response = await page.reload({ waitUntil: "commit" });
  assert.match(await response.text(), /<html[^>]* data-theme="dark"[^]*<body dark>/);
  await hydrated(page);
  assert.ok(await isDark(page));
  await openUserPanel(page);
  await page.getByRole("button", { name: "浅色模式" }).click();
  assert.ok(!(await isDark(page)));
  assert.equal(await ground(), light);
});

// S2.34
flow("the login page switches theme and language too", {}, async (page) => {
  await visit(page, "/login?redirect=channelList");
  await page.getByRole("button", { name: "切换明暗主题" }).click();
  assert.ok(await isDark(page));
  await page.getByRole("button", { name: "切换语言：English" }).click();
  await page.getByRole("heading", { name: "Log in to Leadlane" }).waitFor();
  assert.ok(await isDark(page));
  assert.equal(new URL(page.url()).search, "?redirect=channelList");
});

// S2.34
flow("the whole screen, and back", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await openUserPanel(page);
  await page.getByRole("button", { name: "全屏" }).click();
  await until(() => page.evaluate(() => document.fullscreenElement !== null), "the whole screen");
  // The panel may have closed meanwhile.
  await page.locator("#user-panel button", { hasText: "全屏" }).evaluate((button) => button.click());
  await until(() => page.evaluate(() => document.fullscreenElement === null), "the window again");
});

// S2.22 S9.03
flow("a navigation shows a thin bar and ends at the top", { as: "admin", height: 500 }, async (page) => {
  await visit(page, "/channel/list");
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/api/admin/page", async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => scrollTo(0, 300));
  assert.ok((await page.evaluate(() => scrollY)) > 0);
  await page.evaluate(() => document.querySelector('.app-menu a[href="/admin/list"]').click());
  const bar = page.locator("#nprogress .bar");
  await bar.waitFor();
  assert.equal(await page.locator("#nprogress .spinner").count(), 0);
  const height = await bar.evaluate((element) => element.getBoundingClientRect().height);
  assert.ok(height > 0 && height <= 3, `${height} px`);
  // It begins at 8 % and creeps on by at most 2 % at a time.
  assert.match(await bar.evaluate((element) => element.style.transform), /^translate3d\(-(9[0-2]|8\d)/);
  release();
  await page.waitForURL("/admin/list");
  await until(() => page.evaluate(() => scrollY === 0), "the top");
  await page.locator("#nprogress").waitFor({ state: "detached" });
});

flow("a link opens in a new window when that is asked for", { as: "admin" }, async (page, { context }) => {
  await visit(page, "/channel/list");
  const opened = context.waitForEvent("page");
  await page.locator(".app-menu").getByText("系统管理", { exact: true }).click();
  await page.getByRole("link", { name: "管理员列表" }).click({ modifiers: ["ControlOrMeta"] });
  const other = await opened;
  await other.waitForURL("/admin/list");
  assert.equal(new URL(page.url()).pathname, "/channel/list");
});

/** Asserts that nothing makes the page itself scroll sideways. */
async function fits(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${page.url()} is ${content} px wide in a window of ${window}`);
}

// S4.05 S9.07
flow("at 360 px nothing scrolls sideways and the menu is a drawer", { as: "admin", width: 360, height: 640 }, async (page) => {
  for (const address of ["/channel/list", "/admin/list?status=enabled", "/home"]) {
    await visit(page, address);
    await fits(page);
  }
  assert.equal(await stored(page, "device"), "phone");
  await visit(page, "/channel/list");
  const sider = page.locator("#sider");
  assert.ok(!(await sider.isVisible()));
  await page.getByRole("button", { name: "打开菜单" }).click();
  await sider.waitFor();
  await page.keyboard.press("Escape");
  await sider.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "打开菜单" }).click();
  await sider.getByText("系统管理", { exact: true }).click();
  await sider.getByRole("link", { name: "管理员列表" }).click();
  await page.waitForURL("/admin/list");
  await sider.waitFor({ state: "hidden" });
  await fits(page);

  await page.getByRole("button", { name: "新增管理员" }).click();
  await page.getByRole("dialog").waitFor();
  await fits(page);
  const box = await page.getByRole("dialog").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 360, "the dialog is inside the window");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("tbody tr").first().getByRole("link").first().click();
  await page.locator(".ll-page-head").waitFor();
  await fits(page);
});

// S4.05 S9.07
flow("at 360 px strangers' and missing pages fit too", { width: 360, height: 640, allow: [/status of 404/] }, async (page) => {
  for (const address of ["/login", "/nowhere", "/home"]) {
    await visit(page, address);
    await fits(page);
  }
});

// S4.05 S9.07
flow("900 px is still narrow, 901 is not", { as: "admin", width: 900, height: 700 }, async (page) => {
  await visit(page, "/channel/list");
  assert.equal(await stored(page, "device"), "phone");
  assert.ok(!(await page.locator("#sider").isVisible()));
  await page.setViewportSize({ width: 901, height: 700 });
  await until(async () => (await stored(page, "device")) === "pc", "the device pc");
  assert.ok(await page.locator("#sider").isVisible());
  await page.setViewportSize({ width: 900, height: 700 });
  await until(async () => (await stored(page, "device")) === "phone", "the device phone");
});

flow("wide screens and large type hold the layout", { as: "admin", width: 3840, height: 2160 }, async (page) => {
  await visit(page, "/channel/list");
  await fits(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await fits(page);
});

flow("the keyboard reaches the content first", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "跳到正文");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.getElementById("main").contains(document.activeElement)));
});

// S2.19 S4.01: without a token in local storage nobody is signed in, whatever the cookie says
flow("a page left without its token asks to sign in at the next step", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await page.evaluate(() => localStorage.removeItem("token"));
  await byMenu(page, "系统管理", "管理员列表");
  await page.waitForURL(/\/login\?redirect=adminList/);
});

// S3.06
flow("the settings the server sends are the specification's", { as: "admin" }, async (page) => {
  const { text } = await documentOf("/channel/list", { as: "admin" });
  const props = JSON.parse(/<script type="application\/json" id="props">([^]*?)<\/script>/.exec(text)[1]);
  const { theme, themeColor, menuWidth, device, tabBar, menuFromServer, navbar, footer, menu, menuCollapse } = props.settings;
  assert.deepEqual(
    { theme, themeColor, menuWidth, device, tabBar, menuFromServer, navbar, footer, menu, menuCollapse },
    { theme: "light", themeColor: "#165DFF", menuWidth: 220, device: "desktop", tabBar: true, menuFromServer: true, navbar: false, footer: false, menu: true, menuCollapse: false },
  );
  await visit(page, "/channel/list");
  assert.equal(await page.locator(".app-navbar, .app-footer").count(), 0);
  assert.ok(page.url().startsWith(server.origin));
});
