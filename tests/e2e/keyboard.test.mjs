/** Work without a mouse: command palette, help, and the scroll position of each tab. */
import assert from "node:assert/strict";
import { axe, call, flow, hydrated, until, visit } from "./support.mjs";

const PALETTE = "搜索";

flow("Ctrl+K finds a page of the viewer's menu and goes there", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?keyword=api");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: PALETTE });
  await palette.getByRole("option").first().waitFor();
  await axe(page);
  const input = palette.getByRole("combobox");
  assert.match(await palette.getByRole("option").first().textContent(), /最近访问.*渠道列表 · api/);

  await input.fill("没有这一页");
  await palette.getByText("没有找到，换个词试试").waitFor();
  await input.fill("审计 ");
  assert.equal(await palette.getByRole("option").count(), 0, "not a page of this role");
  await input.fill("admin list");
  await palette.getByRole("option", { name: /管理员列表/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("/admin/list");
  await palette.waitFor({ state: "detached" });
});

flow("Ctrl+K finds records, and those opened last come first", { as: "admin", allow: [/ERR_FAILED/, /Failed to fetch/] }, async (page) => {
  const [user] = (await call("POST", "/user/page", { pageSize: 1 }, "admin")).list;
  const [clue] = (await call("POST", "/crm/pushPage", { pageSize: 1 }, "admin")).list;
  await visit(page, "/channel/list");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: PALETTE });
  const input = palette.getByRole("combobox");
  const first = palette.getByRole("option").first();
  await input.fill("yhlb");
  await palette.getByRole("option", { name: /菜单.*用户列表/ }).waitFor();
  await input.fill(user.no);
  await palette.getByRole("option", { name: new RegExp(`用户.*${user.no}`) }).waitFor();
  await axe(page);

  // The last answer stays until the next one arrives, and Enter waits for that.
  let answers;
  const held = new Promise((resolve) => (answers = resolve));
  await page.route("**/api/search", async (route) => {
    await held;
    await route.continue();
  });
  await input.fill(clue.no.toLowerCase());
  await palette.getByText("正在查找…").waitFor();
  assert.match(await first.textContent(), new RegExp(user.no));
  await page.keyboard.press("Enter");
  answers();
  await page.waitForURL(`/crm/clue/${clue.id}`);
  await palette.waitFor({ state: "detached" });
  await page.locator(".app-tabs [aria-current]", { hasText: clue.nameMask }).waitFor();
  await page.unroute("**/api/search");

  await page.keyboard.press("Control+k");
  await first.waitFor();
  assert.match(await first.textContent(), /最近查看.*\*.*线索/);
  await page.route("**/api/search", (route) => route.abort());
  await input.fill("北辰");
  await palette.getByText("Request Error").waitFor();
  await page.unroute("**/api/search");
  await palette.getByRole("button", { name: "重试" }).click();
  await palette.getByRole("option", { name: /^机构/ }).first().waitFor();
});

flow("the magnifier of a phone finds records, in English and in the dark", { as: "admin", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("button", { name: "Search (Ctrl+K)" }).click();
  const palette = page.getByRole("dialog", { name: "Search" });
  await palette.getByRole("combobox").fill("北辰");
  await palette.getByRole("option", { name: /^Organisations/ }).first().waitFor();
  await axe(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing overflows");
});

flow("the palette's arrows go round, and its actions act", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "搜索（Ctrl+K）" }).click();
  const options = page.getByRole("dialog", { name: PALETTE }).getByRole("option");
  await options.first().waitFor();
  const chosen = () => page.getByRole("option", { selected: true }).getAttribute("id");
  const first = await chosen();
  await page.keyboard.press("ArrowUp");
  assert.notEqual(await chosen(), first);
  await page.keyboard.press("ArrowDown");
  assert.equal(await chosen(), first);
  await page.getByRole("dialog", { name: PALETTE }).getByRole("combobox").fill("深色");
  await options.first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.body.hasAttribute("dark"));
});

flow("? shows the keys, / goes to the filter, and neither while one types", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "键盘快捷键" });
  await help.waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("/");
  const keyword = page.getByLabel("关键词");
  assert.ok(await keyword.evaluate((input) => input === document.activeElement));
  await page.keyboard.type("a/?");
  assert.equal(await keyword.inputValue(), "a/?");
  assert.equal(await help.count(), 0);
});

flow("j and k move among the rows of a list, x ticks the row and Enter opens its record", { as: "admin" }, async (page) => {
  await visit(page, "/org/list");
  const isAt = (wanted) =>
    until(async () => (await page.evaluate(() => document.activeElement.closest("tbody > tr")?.sectionRowIndex)) === wanted, `row ${wanted}`);
  await page.keyboard.press("j");
  await isAt(0);
  await axe(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await isAt(2);
  await page.keyboard.press("k");
  await isAt(1);
  await page.keyboard.press("x");
  await page.getByText("已选 1 项").waitFor();
  assert.ok(await page.locator("tbody tr").nth(1).getByRole("checkbox").isChecked());
  await page.keyboard.press("/");
  await page.keyboard.type("jkx");
  assert.equal(await page.getByLabel("关键词").inputValue(), "jkx");

  await page.locator("h1").click();
  await page.keyboard.press("j");
  await isAt(2);
  const href = await page.locator("tbody tr").nth(2).locator("th a").getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL(href);
  await page.locator(".ll-record").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "机构列表" }).waitFor();
  await page.keyboard.press("j");
  await isAt(3);

  // In a dialog the keys do nothing.
  await visit(page, "/admin/agreement");
  await page.keyboard.press("j");
  await isAt(0);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog");
  await help.waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await isAt(1);
});

// S2.22
flow("a tab is found as it was left; a link of the menu begins at the top", { as: "admin", width: 1000, height: 400 }, async (page) => {
  await visit(page, "/channel/list?pageSize=50");
  await page.evaluate(() => {
    scrollTo(0, 120);
    document.querySelector(".ll-table-box").scrollTo(80, 300);
  });
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: PALETTE });
  await palette.getByRole("combobox").fill("管理员列表");
  await palette.getByRole("option", { name: /管理员列表/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("/admin/list");
  await page.waitForFunction(() => scrollY === 0);
  const tab = page.locator(".app-tabs").getByRole("link", { name: "渠道列表" }).last();
  await tab.click();
  await page.waitForURL("/channel/list?pageSize=50");
  await page.waitForFunction(() => {
    const { scrollTop, scrollLeft } = document.querySelector(".ll-table-box");
    return scrollY === 120 && scrollTop === 300 && scrollLeft === 80;
  });
  // And it stays there: the bar shows its current tab in an effect, which has run when the page is idle.
  await page.locator(".app-tabs [aria-current]", { hasText: "渠道列表" }).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done)))));
  assert.deepEqual(await page.evaluate(() => [scrollY, document.querySelector(".ll-table-box").scrollTop]), [120, 300]);

  await page.reload();
  await hydrated(page);
  await page.locator(".app-tabs").getByRole("link", { name: "管理员列表" }).click();
  await page.waitForURL("/admin/list");
  await page.locator(`.app-menu a[href="/channel/list"]`).evaluate((link) => link.click());
  await page.waitForURL("/channel/list");
  await page.waitForFunction(() => scrollY === 0 && document.querySelector(".ll-table-box").scrollTop === 0);
});
