/** The message box, the page of all messages, and announcements from writing to reading. */
import assert from "node:assert/strict";
import { ask, axe, call, flow, hydrated, openPage, toast, until, visit } from "./support.mjs";

const bell = (page) => page.locator(".app-user .app-bell");
const box = (page, name = "消息中心") => page.getByRole("dialog", { name });
const tab = (page, name) => box(page).getByRole("tab", { name });
const entries = (page) => box(page).locator(".app-message");
const unread = async (account) => Object.values(await call("GET", "/message/unread", undefined, account));

/** Waits until the bell shows a count, which the page fetches after it is loaded. */
const counted = (page, text) =>
  until(async () => ((await page.locator(".app-user .app-badge").count()) ? await page.locator(".app-user .app-badge").textContent() : "") === text, `the count ${text}`);

// S2.28 S3.10 S4.08
flow("the bell counts, the box shows three tabs, and a click reads and leads on", { as: "operator" }, async (page) => {
  const [messages, notices, todos] = await unread("operator");
  await visit(page, "/channel/list");
  await counted(page, String(messages + notices + todos));
  assert.equal(await bell(page).getAttribute("aria-label"), `消息中心，${messages + notices + todos} 条未读`);
  await bell(page).click();
  await entries(page).first().waitFor();
  assert.deepEqual(await box(page).getByRole("tab").allTextContents(), [`消息 (${messages})`, `通知 (${notices})`, `待办 (${todos})`]);
  await axe(page);

  const first = entries(page).first();
  assert.match(await first.innerText(), /未读\s*林晓峰\s*提交了新渠道/);
  assert.match(await first.locator("time").textContent(), /^\d{4}-\d\d-\d\d \d\d:\d\d$/);
  const read = page.waitForResponse("**/api/message/read");
  await first.click();
  await page.waitForURL("/channel/list?mode=test");
  assert.equal((await (await read).json()).data.message, messages - 1);
  await box(page).waitFor({ state: "hidden" });
  await counted(page, String(messages - 1 + notices + todos));

  // The states of what is to be done, by name and colour.
  await bell(page).click();
  await tab(page, "待办").click();
  await entries(page).first().waitFor();
  const tags = await entries(page).locator(".ll-tag").evaluateAll((all) => all.map((tag) => `${tag.textContent} ${tag.className}`));
  // Two leads in doubt, a list that is nearly due, and one that is not begun.
  const begin = "未开始 ll-tag ll-tag-gray";
  assert.deepEqual(tags, [begin, begin, "即将到期 ll-tag ll-tag-red", begin]);
});

// S2.28 S4.08
flow("all read and clear all are kept, for oneself alone", { as: "auditor" }, async (page) => {
  const others = await unread("service");
  await visit(page, "/home");
  await bell(page).click();
  await tab(page, "通知").click();
  await entries(page).first().waitFor();
  const count = await entries(page).count();
  assert.equal(await box(page).locator(".is-unread").count(), count);
  await box(page).getByRole("button", { name: "全部已读" }).click();
  await until(async () => (await box(page).locator(".is-unread").count()) === 0, "all of them read");
  await until(async () => (await tab(page, /^通知$/).count()) === 1, "nothing counted any more");
  assert.ok(await box(page).getByRole("button", { name: "全部已读" }).isDisabled());

  // One without a link opens where it is.
  const notice = entries(page).last();
  const height = () => notice.evaluate((entry) => entry.getBoundingClientRect().height);
  const folded = await height();
  await notice.click();
  assert.equal(await notice.getAttribute("aria-expanded"), "true");
  await until(async () => (await height()) > folded, "the whole text");

  await box(page).getByRole("button", { name: "清空" }).click();
  await box(page).getByText("暂无内容").waitFor();
  await page.reload();
  await hydrated(page);
  await page.locator(".app-user .app-bell").click();
  await tab(page, "通知").click();
  await box(page).getByText("暂无内容").waitFor();
  await axe(page);
  assert.deepEqual(await unread("service"), others, "others keep theirs");
});

flow("the box says that it failed, and tries again", { as: "finance", allow: [/message\/page/, /ERR_CONNECTION_FAILED/] }, async (page) => {
  await visit(page, "/home");
  await page.route("**/api/message/page", (route) => route.abort("connectionfailed"), { times: 1 });
  await bell(page).click();
  await box(page).getByRole("alert").getByText("Request Error").waitFor();
  await axe(page);
  await box(page).getByRole("button", { name: "重试" }).click();
  await entries(page).first().waitFor();
});

flow("the keyboard opens it, moves between tabs, and leads back", { as: "operator" }, async (page) => {
  await visit(page, "/home");
  await bell(page).focus();
  await page.keyboard.press("Enter");
  await until(() => page.evaluate(() => document.activeElement?.matches("[role=tab][tabindex='0']")), "the focus on a tab");
  const selected = () => box(page).locator("[aria-selected=true]").textContent();
  const before = await selected();
  await page.keyboard.press("ArrowRight");
  await until(async () => (await selected()) !== before, "the next tab");
  await entries(page).first().waitFor();
  await page.keyboard.press("Escape");
  await box(page).waitFor({ state: "hidden" });
  await until(() => page.evaluate(() => document.activeElement?.classList.contains("app-bell")), "the focus on the bell");
});

// S2.28
flow("on a phone, in English", { as: "operator", locale: "en-US", width: 360, height: 740 }, async (page) => {
  await visit(page, "/home");
  await page.locator(".app-phone-bar .app-bell").click();
  const panel = box(page, "Messages");
  await panel.getByRole("tab", { name: "Todo" }).click();
  await panel.locator(".app-message").first().waitFor();
  const names = (await panel.getByRole("tab").allTextContents()).map((text) => text.replace(/ \(\d+\+?\)$/, ""));
  assert.deepEqual(names, ["Message", "Notice", "Todo"]);
  const { left, right, bottom } = await panel.evaluate((element) => element.getBoundingClientRect().toJSON());
  assert.ok(left >= 0 && right <= 360 && bottom <= 740, JSON.stringify({ left, right, bottom }));
  assert.ok(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth));
  await axe(page);
  await panel.getByRole("link", { name: "View more" }).click();
  await page.waitForURL("/account/message");
  await page.getByRole("heading", { name: "All messages" }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360), "nothing sticks out");
});

// S2.29
flow("the user menu offers to switch roles, one's own pages and to log out", { as: "service" }, async (page) => {
  await visit(page, "/home");
  await page.locator(".app-user-button").click();
  const panel = page.locator("#user-panel");
  for (const name of ["切换角色", "退出登录"]) await panel.getByRole("button", { name }).waitFor();
  for (const [name, address] of [["用户中心", "/account/center"], ["用户设置", "/account/setting"]]) {
    await visit(page, "/home");
    await page.locator(".app-user-button").click();
    await panel.getByRole("link", { name }).click();
    await page.waitForURL(address);
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
});

// S2.28
flow("view more leads to all of them, with tabs, filters and pages", { as: "south.sales1" }, async (page) => {
  for (let number = 1; number <= 25; number++) {
    await call("POST", "/notice", { title: `公告 ${number}`, content: "内容", scope: "all" }, "admin");
  }
  await visit(page, "/home");
  await bell(page).click();
  await box(page).getByRole("link", { name: "查看更多" }).click();
  await page.waitForURL("/account/message");
  await page.getByRole("navigation", { name: "消息类型" }).getByRole("link", { name: /通知/ }).click();
  await page.waitForURL("/account/message?type=notice");
  const rows = page.locator(".message-list > li");
  await until(async () => (await rows.count()) === 20, "a page of twenty");
  await page.getByRole("link", { name: "更早的消息" }).click();
  await page.waitForURL(/before=/);
  await until(async () => (await rows.count()) === 8, "three of the demo and the first five");
  await page.getByRole("link", { name: "回到最新" }).click();
  await page.waitForURL("/account/message?type=notice");

  await rows.first().getByRole("button", { name: "标为已读" }).click();
  await until(async () => (await rows.first().locator(".is-unread").count()) === 0, "the first one read");
  await page.getByLabel("状态").selectOption("1");
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL("/account/message?type=notice&status=1");
  await until(async () => (await rows.count()) === 1, "the one that was read");
  await rows.first().getByRole("button", { name: "清除" }).click();
  await page.getByText("没有符合条件的记录").waitFor();
  await page.goto("/account/message?type=notice");
  await page.getByRole("button", { name: "清空" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "清空" }).click();
  await page.getByText("暂无内容").waitFor();
  await axe(page);
});

flow("without scripts the page of all messages still pages and filters", { as: "south.manager", script: false }, async (page) => {
  await page.goto("/account/message?type=notice");
  const rows = page.locator(".message-list > li");
  const count = await rows.count();
  assert.ok(count > 0);
  await page.getByLabel("状态").selectOption("1");
  await page.getByRole("button", { name: "查询" }).click();
  await page.getByText("没有符合条件的记录").waitFor();
  assert.match(page.url(), /type=notice/);
});

flow("an announcement is written, read, changed and withdrawn", { as: "operator" }, async (page) => {
  await visit(page, "/admin/notice");
  await page.getByRole("button", { name: "发布公告" }).click();
  const form = page.getByRole("dialog", { name: "发布公告" });
  await form.locator("[name=title]").fill("北辰专用公告");
  await form.locator("[name=content]").fill("第一行\n第二行");
  await form.getByLabel("发给").selectOption("organisation");
  await form.getByLabel("收件人").locator("option", { hasText: "北辰" }).first().waitFor({ state: "attached" });
  const north = await form.getByLabel("收件人").locator("option", { hasText: "北辰" }).first().getAttribute("value");
  await form.getByLabel("收件人").selectOption(north);
  await form.getByLabel("过期时间").fill("2020-01-01T08:00");
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("必须晚于发布时间").waitFor();
  await form.getByLabel("过期时间").fill("");
  await form.getByRole("button", { name: "保存" }).click();
  await toast(page, "公告已保存");
  const row = page.locator("tbody tr", { hasText: "北辰专用公告" });
  await row.getByText("已发布").waitFor();

  const reader = await openPage({ as: "north.sales2" });
  await visit(reader.page, "/account/message?type=notice");
  const shown = reader.page.locator(".message-list > li").first();
  assert.match(await shown.innerText(), /北辰专用公告\s+第一行\n第二行/);
  // The title leads to a page, where the message is read.
  await shown.getByRole("link", { name: "北辰专用公告" }).click();
  await reader.page.getByRole("heading", { level: 1, name: "北辰专用公告" }).waitFor();
  await reader.page.locator(".ll-facts").getByText("已读").waitFor();
  await axe(reader.page);
  await reader.page.getByRole("link", { name: "返回全部消息" }).click();
  await reader.page.waitForURL("**/account/message?type=notice");
  const outsider = await ask("POST", "/message/page", { type: "notice" }, "south.manager");
  assert.ok(!JSON.stringify(outsider).includes("北辰专用公告"));

  await row.getByRole("button", { name: "编辑" }).click();
  const edit = page.getByRole("dialog", { name: "编辑公告" });
  await edit.locator("[name=title]").fill("北辰专用公告（更新）");
  await edit.getByRole("button", { name: "保存" }).click();
  await page.locator("tbody tr", { hasText: "（更新）" }).waitFor();
  await reader.page.reload();
  await reader.page.locator(".app-message-title", { hasText: "北辰专用公告（更新）" }).waitFor();

  await page.locator("tbody tr", { hasText: "（更新）" }).getByRole("rowheader").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "北辰专用公告（更新）" }).waitFor();
  await page.locator("#main").getByText(/^已发布：北辰.*可见。$/).waitFor();
  await axe(page);
  await page.getByRole("button", { name: "撤回" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "撤回" }).click();
  await page.locator("#main").getByText("已撤回：收件人已看不到。").waitFor();
  await reader.page.reload();
  await reader.page.locator(".message-list > li").first().waitFor();
  assert.equal(await reader.page.locator(".app-message-title", { hasText: "北辰专用公告（更新）" }).count(), 0);
  assert.deepEqual(reader.complaints(), []);
  await reader.context.close();
});
