/** /chat/conversation and the visitors' page in the browser: both sides of a conversation, live, by keyboard and without scripts. */
import assert from "node:assert/strict";

import { axe, call, flow, openPage, toast, until, visit } from "./support.mjs";

const groupKey = async (name = "售后服务") => (await call("POST", "/chat/group/page", { keyword: name }, "operator")).list[0].pageKey;

/** Begins a conversation on the visitors' page. */
async function begin(page, name, text) {
  await page.goto(`/talk?g=${await groupKey()}`);
  await page.getByLabel("怎么称呼您").fill(name);
  await page.getByLabel("请输入消息").fill(text);
  await page.getByLabel("我同意").check();
  await page.getByRole("button", { name: "发送" }).click();
  await page.locator("li.mine", { hasText: text }).waitFor();
}

const rowOf = (page, name) => page.locator(".chat-row", { hasText: name });
const composer = (page) => page.getByRole("textbox", { name: "消息", exact: true });

flow("a visitor and the staff talk, and each sees at once what the other writes", { as: "service" }, async (page) => {
  const visitor = await openPage({ locale: "zh-CN" });
  try {
    await visit(page, "/chat/conversation?box=unassigned");
    await begin(visitor.page, "林先生", "我的手机号是13800138000");
    await rowOf(page, "林先生").click();
    // Numbers are masked until they are revealed; after that, new messages show them too. The list never shows one.
    await page.locator(".chat-in", { hasText: "我的手机号是138****8000" }).waitFor();
    await page.getByRole("button", { name: "查看完整号码" }).click();
    await page.locator(".chat-in", { hasText: "我的手机号是13800138000" }).waitFor();
    await visitor.page.getByLabel("请输入消息").fill("备用 139-1234-5678");
    await visitor.page.keyboard.press("Enter");
    await page.locator(".chat-in", { hasText: "备用 139-1234-5678" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "查看完整号码" }).count(), 0);
    await composer(page).fill("您好，我来帮您");
    await page.keyboard.press("Enter");
    await page.locator(".chat-out", { hasText: "您好，我来帮您" }).waitFor();
    await visitor.page.locator("li", { hasText: "您好，我来帮您" }).waitFor();
    await visitor.page.getByText("小何 正在为您服务").waitFor();
    await page.getByText("客户已读").first().waitFor();
    // A quick reply by its shortcut, with the keyboard alone.
    await composer(page).fill("/还款");
    await page.keyboard.press("Enter");
    await until(async () => (await composer(page).inputValue()).startsWith("还款请以"), "the quick reply");
    await page.keyboard.press("Enter");
    await visitor.page.locator("li", { hasText: "还款请以" }).waitFor();
    // A note stays inside.
    await page.getByLabel("内部备注").check();
    await composer(page).fill("此客户需要回访");
    await page.getByRole("button", { name: "保存备注" }).click();
    await page.locator(".chat-note", { hasText: "此客户需要回访" }).waitFor();
    await visitor.page.getByLabel("请输入消息").fill("谢谢");
    await visitor.page.keyboard.press("Enter");
    await page.locator(".chat-in", { hasText: "谢谢" }).waitFor();
    assert.equal(await visitor.page.getByText("此客户需要回访").count(), 0);
    await axe(page);
    await axe(visitor.page);
    await page.getByRole("button", { name: "结束会话" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "结束会话" }).click();
    await toast(page, "会话已结束");
    await visitor.page.getByLabel("请评价本次服务").selectOption("5");
    await visitor.page.getByRole("button", { name: "提交评价" }).click();
    await visitor.page.getByLabel("请评价本次服务").waitFor({ state: "detached" });
    await page.locator(".chat-customer").getByText("★★★★★").waitFor();
    assert.deepEqual(visitor.complaints(), []);
  } finally {
    await visitor.context.close();
  }
});

flow("a foreign address does not replace the own thread of a visitor", { locale: "zh-CN" }, async (page) => {
  await begin(page, "马先生", "我的问题");
  const own = new URL(page.url()).pathname;
  const other = await openPage({ locale: "zh-CN" });
  try {
    // The address opens the thread only in the browser that began it; an address of earlier versions opens none.
    assert.ok(!(await (await other.page.request.get(own)).text()).includes("我的问题"));
    assert.equal((await page.request.get(`/talk/${"E".repeat(32)}`)).status(), 404);
    await page.goto(`/talk?g=${await groupKey()}`);
    await page.locator("li.mine", { hasText: "我的问题" }).waitFor();
  } finally {
    await other.context.close();
  }
});

flow("a message is recalled, and a conversation handed to a group", { as: "service" }, async (page) => {
  const visitor = await openPage({ locale: "zh-CN" });
  try {
    await begin(visitor.page, "谢女士", "请问在吗");
    await visit(page, "/chat/conversation?keyword=谢女士");
    await rowOf(page, "谢女士").first().click();
    await composer(page).fill("发错了");
    await page.keyboard.press("Enter");
    await visitor.page.locator("li", { hasText: "发错了" }).waitFor();
    await page.locator(".chat-out", { hasText: "发错了" }).getByRole("button", { name: "撤回" }).click();
    await page.getByText("消息已撤回").waitFor();
    await visitor.page.locator("li", { hasText: "发错了" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "更多" }).click();
    await page.getByRole("menuitem", { name: "转接" }).click();
    await page.getByRole("dialog").getByLabel("转接给").selectOption({ label: "贷前咨询（分组）" });
    await page.getByRole("dialog").getByLabel("转接说明").fill("问贷款");
    await page.getByRole("dialog").getByRole("button", { name: "转接" }).click();
    await toast(page, "会话已转接");
    await page.locator(".chat-system", { hasText: "转接给 贷前咨询：问贷款" }).waitFor();
  } finally {
    await visitor.context.close();
  }
});

flow("without scripts a visitor writes by forms", { script: false, locale: "zh-CN" }, async (page) => {
  await begin(page, "唐先生", "没有脚本");
  const key = new URL(page.url()).pathname;
  await page.getByLabel("请输入消息").fill("<b>第二条</b>");
  await page.getByRole("button", { name: "发送" }).click();
  await page.locator("li.mine", { hasText: "<b>第二条</b>" }).waitFor();
  assert.equal(new URL(page.url()).pathname, key);
  const [row] = (await call("POST", "/chat/user/page", { keyword: "唐先生" }, "operator")).list;
  await call("POST", "/chat/send", { conversationId: row.id, clientMsgId: "by-the-test-1", content: "收到" }, "service");
  await page.goto(key);
  await page.locator("li", { hasText: "收到" }).waitFor();
});

flow("behind a proxy that holds events back, messages still come", { as: "service" }, async (page) => {
  const visitor = await openPage({ locale: "zh-CN" });
  try {
    // A stream that never sends anything.
    await page.route(/chat\/events\?mode=stream/, () => new Promise(() => {}));
    await begin(visitor.page, "冯女士", "第一条");
    await visit(page, "/chat/conversation?keyword=冯女士");
    await rowOf(page, "冯女士").click();
    await page.locator(".chat-in", { hasText: "第一条" }).waitFor();
    await visitor.page.getByLabel("请输入消息").fill("第二条");
    await visitor.page.keyboard.press("Enter");
    await page.locator(".chat-in", { hasText: "第二条" }).waitFor();
  } finally {
    await visitor.context.close();
  }
});

flow("a narrow screen shows the list, then the thread, in English", { as: "service", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  await visit(page, "/chat/conversation?state=overdue");
  const marked = page.getByRole("navigation", { name: "Which conversations" }).locator("[aria-current=page]");
  assert.equal(await marked.textContent(), "Overdue");
  await visit(page, "/chat/conversation?status=resolved");
  await axe(page);
  await page.locator(".chat-row").first().click();
  await page.getByRole("link", { name: "Back to the list" }).waitFor();
  await page.locator(".chat-in").first().waitFor();
  await axe(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} px wide`);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.locator(".chat-row").first().waitFor();
});

flow("an agent who is offline reads who waits, and goes online", { as: "service" }, async (page) => {
  const visitor = await openPage({ locale: "zh-CN" });
  try {
    await begin(visitor.page, "孟先生", "还有人吗");
    await visit(page, "/chat/conversation");
    await page.getByLabel("我的状态").selectOption({ label: "离线" });
    await page.getByText(/您处于离线状态，\d+ 位客户在等待/).waitFor();
    await axe(page);
    await page.getByRole("button", { name: "上线" }).click();
    await page.waitForURL(/box=mine/);
    await page.locator(".chat-row", { hasText: /等待 \d+ (分钟|小时|天)/ }).first().click();
    // What is not sent survives a reload.
    await composer(page).fill("还没写完");
    await until(() => page.evaluate(() => Object.keys(localStorage).some((name) => name.includes(" chat "))), "the draft");
    await page.reload();
    await until(async () => (await composer(page).inputValue()) === "还没写完", "the text");
    await composer(page).fill("");
  } finally {
    await visitor.context.close();
  }
});
