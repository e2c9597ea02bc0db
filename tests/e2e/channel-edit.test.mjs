/** Channels are created, edited by one person and by two, put into another status, deleted and viewed. */
import assert from "node:assert/strict";
import { act, ask, axe, byMenu, call, documentOf, flow, openPage, toast, until, visit } from "./support.mjs";

/** Makes a channel to work on, with some of its fields as given, and returns it. */
async function makeChannel(code, fields = {}) {
  const blank = { code, name: `渠道 ${code}`, type: "ads", settleMode: "none", unitPriceCents: 0, shareBp: 0, landingUrl: null, ipAllow: [], callbackUrl: null, dedupDays: null, ownerAdminId: null, remark: "" };
  const { id } = await call("POST", "/channel", { ...blank, ...fields }, "admin");
  return call("GET", `/channel/${id}`, undefined, "admin");
}

const rowOf = (page, code) => page.locator("tbody tr", { has: page.getByRole("cell", { name: code, exact: true }) });

/** Chooses an action of a channel in the list. */
const choose = (page, code, label) => act(page, rowOf(page, code), label);

/** Opens the page of a channel from the list, at a tab of it. */
async function openPageOf(page, code, tab) {
  await rowOf(page, code).getByRole("link").first().click();
  const link = page.locator(".ll-tabs").getByRole("link", { name: tab, exact: true });
  await link.click();
  await page.locator(".ll-tabs a[aria-current=page]", { hasText: tab }).waitFor();
  return page.locator("#main");
}

flow("a new channel: what is wrong is said at its field, the secret is shown once", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "新增渠道" }).click();
  const dialog = page.getByRole("dialog", { name: "新增渠道" });
  await page.waitForFunction(() => document.activeElement.name === "code");

  await dialog.getByLabel("渠道编码").fill("short");
  await dialog.getByLabel("结算方式").selectOption({ label: "按 UV" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("8 到 32 位字母、数字、- 或 _").waitFor();
  await dialog.getByRole("alert").getByText("必填").waitFor();

  // The page accepts the second line as an IP address, the server does not.
  await dialog.getByLabel("渠道编码").fill("made-by-hand");
  await dialog.getByLabel("渠道名称").fill("手工渠道");
  await dialog.getByLabel("结算单价").fill("1.25");
  await dialog.getByLabel("IP 白名单").fill("10.0.0.0/8\n999.1.1.1");
  await page.keyboard.press("Control+Enter");
  await dialog.getByRole("alert").getByText("不是 IP 或网段：999.1.1.1").waitFor();
  assert.equal(await dialog.getByLabel("IP 白名单").getAttribute("aria-invalid"), "true");

  await dialog.getByLabel("IP 白名单").fill("10.0.0.0/8");
  await page.keyboard.press("Control+Enter");
  const secrets = page.getByRole("dialog", { name: "“手工渠道”的密钥" });
  await secrets.waitFor();
  await toast(page, "渠道已新增");
  const [appKey, appSecret] = await secrets.locator("code").allTextContents();
  assert.match(appKey, /^\w{24}$/);
  assert.match(appSecret, /^\w{40}$/);
  await secrets.getByRole("button", { name: "我已保存" }).click();
  await secrets.waitFor({ state: "detached" });

  const row = rowOf(page, "made-by-hand");
  await row.getByRole("cell", { name: "1.25" }).waitFor();
  const main = await openPageOf(page, "made-by-hand", "接入");
  await main.locator("dl").getByText(appKey).waitFor();
  await main.locator("dl").getByText(/\/v\/made-by-hand$/).or(main.getByText("没有落地页地址")).first().waitFor();
  await axe(page);
  assert.ok(!(await page.content()).includes(appSecret), "the secret is never shown again");
  assert.ok(!(await documentOf("/channel/list", { as: "operator" })).text.includes(appSecret));
});

flow("a code that is taken is refused in the dialog, and nothing is lost", { as: "operator" }, async (page) => {
  await makeChannel("taken-already");
  await visit(page, "/channel/list?keyword=taken-already");
  await page.getByRole("button", { name: "新增渠道" }).click();
  const dialog = page.getByRole("dialog", { name: "新增渠道" });
  await dialog.getByLabel("渠道编码").fill("taken-already");
  await dialog.getByLabel("渠道名称").fill("又一个");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("渠道编码 taken-already 已存在").waitFor();
  assert.equal(await dialog.getByLabel("渠道名称").inputValue(), "又一个");
  assert.equal((await call("POST", "/channel/page", { keyword: "taken-already" }, "admin")).total, 1);
});

flow("an edited channel shows its new values, and its history tells both", { as: "operator" }, async (page) => {
  await makeChannel("to-be-edited", { settleMode: "registered", unitPriceCents: 500 });
  await visit(page, "/channel/list?keyword=to-be-edited");
  await rowOf(page, "to-be-edited").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑渠道" });
  assert.equal(await dialog.getByLabel("渠道编码").getAttribute("readonly"), "", "the code stays");
  assert.equal(await dialog.getByLabel("结算单价").inputValue(), "5");
  await dialog.getByLabel("结算单价").fill("1,234.5");
  await dialog.getByLabel("渠道名称").fill("改过的渠道");
  await dialog.getByLabel("负责人").selectOption({ label: "赵雪 (channel.zhao)" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "渠道已保存");
  await dialog.waitFor({ state: "detached" });
  const row = rowOf(page, "to-be-edited");
  await row.getByRole("cell", { name: "改过的渠道" }).waitFor();
  await row.getByRole("cell", { name: "1,234.50" }).waitFor();
  assert.ok(await row.getByRole("button", { name: "编辑" }).evaluate((button) => button === document.activeElement), "the focus returns");

  const main = await openPageOf(page, "to-be-edited", "操作记录");
  await page.getByRole("heading", { level: 1, name: "改过的渠道" }).waitFor();
  const latest = main.locator(".ll-timeline > li").first();
  await latest.getByText("周敏").waitFor();
  await latest.getByText("结算单价（元）: 5.00 → 1,234.50").waitFor();
  await latest.getByText("渠道名称: 渠道 to-be-edited → 改过的渠道").waitFor();
  assert.equal(await main.locator(".ll-timeline > li").count(), 2);
  await page.getByRole("link", { name: "返回渠道列表" }).click();
  await page.waitForURL("**/channel/list?keyword=to-be-edited");
});

flow("what is copied from the page of a channel is in the clipboard", { as: "operator" }, async (page, { context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { appKey } = await makeChannel("to-be-copied");
  await visit(page, "/channel/list?keyword=to-be-copied");
  await openPageOf(page, "to-be-copied", "接入");
  await page.getByRole("button", { name: "复制App Key" }).click();
  await page.getByRole("button", { name: "已复制App Key" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), appKey);
});

flow("a channel is paused, resumed, disabled and enabled", { as: "operator" }, async (page) => {
  await makeChannel("changes-status");
  await visit(page, "/channel/list?keyword=changes-status");
  const status = rowOf(page, "changes-status").locator("td .ll-tag").first();
  const first = await status.textContent();
  for (const [action, question, after] of [
    ...(first === "停用" ? [["启用", "启用渠道", "启用"]] : []),
    ["暂停", "暂停渠道", "暂停"],
    ["恢复", "启用渠道", "启用"],
    ["停用", "停用渠道", "停用"],
    ["启用", "启用渠道", "启用"],
  ]) {
    await choose(page, "changes-status", action);
    const dialog = page.getByRole("dialog", { name: new RegExp(`^${question}`) });
    await dialog.waitFor();
    if (action === "停用") await until(() => page.evaluate(() => document.activeElement.textContent === "取消"), "the focus on cancel");
    await dialog.locator(".ll-dialog-foot button").last().click();
    await dialog.waitFor({ state: "detached" });
    await until(async () => (await status.textContent()) === after, `the status ${after}`);
  }
  // Without agreement nothing happens.
  await choose(page, "changes-status", "停用");
  await page.getByRole("dialog").getByRole("button", { name: "取消" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal(await status.textContent(), "启用");
});

flow("picked channels are paused together", { as: "operator" }, async (page) => {
  for (const code of ["batch-of-1", "batch-of-2"]) {
    const { id, version, status } = await makeChannel(code);
    if (status === "disabled") await call("PUT", "/channel/status", { id, version, status: "enabled" }, "admin");
  }
  await visit(page, "/channel/list?keyword=batch-of");
  await page.getByLabel("选择 渠道 batch-of-1").check();
  await page.getByLabel("选择本页全部").check();
  await page.getByText("已选 2 项").waitFor();
  await page.getByRole("group", { name: "批量操作" }).getByRole("button", { name: "暂停" }).click();
  await page.getByRole("dialog", { name: "暂停 2 个渠道？" }).getByRole("button", { name: "暂停" }).click();
  await toast(page, "渠道状态已更新");
  await until(async () => (await page.locator("tbody").getByText("暂停", { exact: true }).count()) === 2, "both paused");
  await until(async () => (await page.getByRole("checkbox", { checked: true }).count()) === 0, "nothing is picked any more");
});

flow("a new secret is shown once and the old one ends when it is told to", { as: "operator" }, async (page) => {
  await makeChannel("new-secret");
  await visit(page, "/channel/list?keyword=new-secret");
  await choose(page, "new-secret", "更换密钥");
  const rotating = page.getByRole("dialog", { name: /^更换/ });
  assert.equal(await rotating.getByLabel("旧密钥继续有效").inputValue(), "24");
  await rotating.getByRole("button", { name: "更换密钥" }).click();
  const secrets = page.getByRole("dialog", { name: /的密钥$/ });
  await secrets.locator("code").nth(1).waitFor();
  const appSecret = await secrets.locator("code").nth(1).textContent();
  // The secret, which is never shown again, does not disappear with one Escape.
  await page.keyboard.press("Escape");
  await secrets.getByRole("alert").getByText("关闭后不再显示").waitFor();
  await secrets.getByRole("button", { name: "关闭" }).click();
  assert.equal(await secrets.locator("code").nth(1).textContent(), appSecret);
  await page.getByRole("button", { name: "我已保存" }).click();
  await secrets.waitFor({ state: "detached" });
  const main = await openPageOf(page, "new-secret", "操作记录");
  await main.getByRole("listitem").filter({ hasText: /^App Secret$/ }).waitFor();
  assert.ok(!(await page.content()).includes(appSecret));
  await visit(page, "/channel/list?keyword=new-secret");
  await choose(page, "new-secret", "停用旧密钥");
  await page.getByRole("dialog").getByRole("button", { name: "停用旧密钥" }).click();
  await toast(page, "旧密钥已停用");
});

flow("a channel goes live once a test lead has passed, as it is then", { as: "operator" }, async (page) => {
  await makeChannel("goes-live", { filters: { all: [{ field: "age", op: "between", value: [22, 55] }] } });
  await visit(page, "/channel/list?keyword=goes-live");
  const agree = async (label) => {
    await choose(page, "goes-live", label);
    const question = page.getByRole("dialog");
    await question.getByRole("button", { name: label }).click();
    await question.waitFor({ state: "detached" });
  };
  const testLead = async (age) => {
    // Without a test lead that passed, one is sent first.
    await choose(page, "goes-live", "转为正式");
    await page.getByRole("dialog", { name: /^把渠道/ }).getByRole("button", { name: "测试线索" }).click();
    const dialog = page.getByRole("dialog", { name: /的测试线索$/ });
    await dialog.getByLabel("年龄").fill(age);
    await axe(page);
    await dialog.getByRole("button", { name: "开始测试" }).click();
    return page.getByRole("dialog", { name: /的测试结果$/ });
  };
  const closed = async (drawer) => {
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  };
  const failed = await testLead("20");
  await failed.getByText("有未通过的检查").waitFor();
  await failed.getByText("不满足条件：年龄 22–55").waitFor();
  await axe(page);
  await closed(failed);
  const passed = await testLead("30");
  await passed.getByText("全部通过，可以转为正式").waitFor();
  await closed(passed);
  await page.getByRole("dialog", { name: /^把渠道/ }).getByRole("button", { name: "转为正式" }).click();
  await toast(page, "渠道模式已更新");
  await rowOf(page, "goes-live").getByRole("cell", { name: "正式" }).waitFor();
  await agree("转为测试");
  await rowOf(page, "goes-live").getByRole("cell", { name: "测试", exact: true }).waitFor();
});

flow("a channel is deleted only when that is meant", { as: "admin" }, async (page) => {
  await makeChannel("to-be-deleted");
  await visit(page, "/channel/list?keyword=to-be-deleted");
  const question = page.getByRole("dialog", { name: /^删除渠道/ });
  await choose(page, "to-be-deleted", "删除");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await choose(page, "to-be-deleted", "删除");
  await question.getByRole("button", { name: "删除" }).click();
  await toast(page, "渠道已删除");
  await page.getByText("没有符合条件的记录").waitFor();
});

flow("two editors: the second learns what the first changed and loses nothing", { as: "operator" }, async (page) => {
  await makeChannel("two-editors", { settleMode: "registered", unitPriceCents: 100, remark: "起初" });
  const other = await openPage({ as: "admin" });
  const dialogs = [];
  for (const tab of [page, other.page]) {
    await visit(tab, "/channel/list?keyword=two-editors");
    await rowOf(tab, "two-editors").getByRole("button", { name: "编辑" }).click();
    dialogs.push(tab.getByRole("dialog", { name: "编辑渠道" }));
  }
  const [mine, theirs] = dialogs;
  await theirs.getByLabel("结算单价").fill("2");
  await theirs.getByLabel("备注").fill("他们的");
  await theirs.getByRole("button", { name: "保存" }).click();
  await toast(other.page, "渠道已保存");

  await mine.getByLabel("渠道名称").fill("我的名称");
  await mine.getByLabel("备注").fill("我的");
  await mine.getByRole("button", { name: "保存" }).click();
  const conflict = page.getByRole("dialog", { name: "这条记录已被他人修改" });
  await conflict.waitFor();
  const shown = await conflict.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  assert.deepEqual(shown, [["结算单价", "1.00", "2.00", "1.00"], ["备注", "起初", "他们的", "我的 双方都改了"]]);

  await conflict.getByRole("button", { name: "继续编辑" }).click();
  await conflict.waitFor({ state: "detached" });
  assert.equal(await mine.getByLabel("渠道名称").inputValue(), "我的名称");
  assert.equal(await mine.getByLabel("结算单价").inputValue(), "2", "what only they changed is theirs");
  assert.equal(await mine.getByLabel("备注").inputValue(), "我的");
  await mine.getByRole("button", { name: "保存" }).click();
  await toast(page, "渠道已保存");
  const { list } = await call("POST", "/channel/page", { keyword: "two-editors" }, "admin");
  assert.deepEqual([list[0].name, list[0].unitPriceCents, list[0].remark], ["我的名称", 200, "我的"]);

  // The other choice takes the current values.
  await rowOf(other.page, "two-editors").getByRole("button", { name: "编辑" }).click();
  await theirs.getByLabel("渠道名称").fill("他们的名称");
  await theirs.getByRole("button", { name: "保存" }).click();
  const again = other.page.getByRole("dialog", { name: "这条记录已被他人修改" });
  await again.getByRole("button", { name: "采用最新的值" }).click();
  await again.waitFor({ state: "detached" });
  assert.equal(await theirs.getByLabel("渠道名称").inputValue(), "我的名称");
  assert.deepEqual(other.complaints(), []);
  await other.context.close();
});

flow("a draft of a record that has been changed since is restored with the conflict", { as: "operator" }, async (page) => {
  const channel = await makeChannel("draft-conflict", { settleMode: "registered", unitPriceCents: 100, remark: "起初" });
  page.on("dialog", (question) => question.accept());
  const opened = async () => {
    await visit(page, "/channel/list?keyword=draft-conflict");
    await rowOf(page, "draft-conflict").getByRole("button", { name: "编辑" }).click();
    return page.getByRole("dialog", { name: "编辑渠道" });
  };
  await (await opened()).getByLabel("备注").fill("我的");
  await page.waitForFunction((id) => Object.keys(localStorage).some((name) => name.endsWith(` channel ${id}`)), channel.id);
  const { id, version, name, type, settleMode } = channel;
  await call("PUT", "/channel", { id, version, name, type, settleMode, unitPriceCents: 200, remark: "他们的" }, "admin");

  const dialog = await opened();
  await dialog.getByRole("button", { name: "恢复" }).click();
  await dialog.getByRole("status").getByText("内容已恢复。这条记录后来被修改过，保存时请核对。").waitFor();
  assert.equal(await dialog.getByLabel("结算单价").inputValue(), "2");
  await dialog.getByRole("button", { name: "保存" }).click();
  const conflict = page.getByRole("dialog", { name: "这条记录已被他人修改" });
  await conflict.waitFor();
  const shown = await conflict.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  assert.deepEqual(shown, [["备注", "起初", "他们的", "我的 双方都改了"]]);
  await conflict.getByRole("button", { name: "继续编辑" }).click();
  await conflict.waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "渠道已保存");
  const now = await call("GET", `/channel/${id}`, undefined, "admin");
  assert.deepEqual([now.unitPriceCents, now.remark], [200, "我的"]);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("draft "))), false);
});

flow("an action on a row that somebody has changed says so and shows the row as it is", { as: "operator" }, async (page) => {
  const channel = await makeChannel("stale-row");
  await visit(page, "/channel/list?keyword=stale-row");
  const next = channel.status === "disabled" ? "enabled" : "disabled";
  const changed = await call("PUT", "/channel/status", { id: channel.id, version: channel.version, status: next }, "admin");
  const label = channel.status === "disabled" ? "启用" : "停用";
  await choose(page, "stale-row", label);
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  await page.locator(".ll-toast-error").waitFor();
  await until(async () => (await rowOf(page, "stale-row").locator("td .ll-tag").first().textContent()) === label, "the row as it is");
  assert.equal((await call("GET", `/channel/${channel.id}`, undefined, "admin")).version, changed.version);
});

flow("what is typed is not thrown away without asking", { as: "operator" }, async (page) => {
  await makeChannel("half-typed");
  await visit(page, "/admin/list");
  await byMenu(page, "渠道管理", "渠道列表");
  await page.waitForURL("/channel/list");
  await page.getByRole("button", { name: "新增渠道" }).click();
  const dialog = page.getByRole("dialog", { name: "新增渠道" });
  await dialog.getByLabel("渠道名称").fill("还没保存");
  const question = page.getByRole("dialog", { name: "放弃未保存的修改？" });

  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "取消" }).click();
  await question.waitFor({ state: "detached" });
  assert.equal(await dialog.getByLabel("渠道名称").inputValue(), "还没保存");

  await page.goBack();
  await question.getByRole("button", { name: "取消" }).click();
  await question.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, "/channel/list");

  await page.goBack();
  await question.getByRole("button", { name: "放弃修改" }).click();
  await until(async () => (await page.getByRole("dialog").count()) === 0, "no dialog left behind");
  assert.equal(new URL(page.url()).pathname, "/channel/list", "Back closes the form and nothing else");
});

flow("a refusal by role reaches nobody through the page, and the API says no", { as: "auditor" }, async (page) => {
  const channel = await makeChannel("not-for-auditors");
  const answer = await ask("DELETE", `/channel/${channel.id}`, undefined, "auditor");
  assert.equal(answer.code, "1003");
  await visit(page, "/channel/list?keyword=not-for-auditors");
  assert.equal(await rowOf(page, "not-for-auditors").getByRole("button").count(), 1, "only the visits");
});
