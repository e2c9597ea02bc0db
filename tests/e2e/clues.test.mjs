/** /crm/clue in the browser: from the message to the first note, the board, pools, my day, on a phone and without scripts. */
import assert from "node:assert/strict";

import { axe, call, flow, toast, visit } from "./support.mjs";

/** A picture of two by three pixels, as far as its header goes. */
const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000200000003080600000000000000" + "0000000049454e44ae426082", "hex");

/** A clue of a salesperson, in the first of the stages that has any. */
async function clueOf(account, ...stages) {
  for (const stage of stages) {
    const { list } = await call("POST", "/crm/pushPage", { stage, pageSize: 1, sort: "createdAt", order: "desc" }, account);
    if (list[0]) return list[0];
  }
  throw new Error(`${account} has no clue of ${stages.join(", ")}`);
}

flow("a salesperson begins with the day, and reaches the first note in three taps", { as: "north.sales1", width: 360, height: 740 }, async (page) => {
  await visit(page, "/");
  assert.equal(new URL(page.url()).pathname, "/crm/center");
  await page.getByRole("heading", { name: "马丽的工作台" }).waitFor();
  await axe(page);
  // Three steps: the new clue, the note, save.
  const fresh = page.locator("section", { has: page.getByRole("heading", { name: "新线索" }) }).getByRole("link").first();
  await fresh.click();
  await page.getByRole("form", { name: "跟进" }).waitFor();
  await axe(page);
  await page.getByLabel("跟进记录").fill("已联系，客户周六到店");
  await page.getByRole("button", { name: "保存跟进" }).click();
  await toast(page, "跟进已保存");
  await page.locator(".crm-story").getByText("已联系，客户周六到店").waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} px wide`);
});

flow("a note that is too long stays whole and is refused before it is sent", { as: "north.sales1" }, async (page) => {
  const { id } = await clueOf("north.sales1", "following");
  await visit(page, `/crm/clue/${id}`);
  const form = page.getByRole("form", { name: "跟进" });
  const sent = [];
  page.on("request", (request) => request.url().endsWith("/crm/progress") && sent.push(request));
  const note = form.getByLabel("跟进记录");
  await note.fill("长".repeat(1003));
  await form.getByRole("button", { name: "保存跟进" }).click();
  await form.getByRole("alert").getByText("最多 1000 个字符，现在有 1003 个").waitFor();
  await axe(page);
  assert.equal((await note.inputValue()).length, 1003);
  assert.ok(await note.evaluate((area) => area === document.activeElement));
  assert.deepEqual(sent, []);
});

flow("a clue is followed up with a stage, a reason and the next contact", { as: "north.sales1" }, async (page) => {
  const { id, nameMask } = await clueOf("north.sales1", "following");
  await visit(page, `/crm/clue/${id}`);
  await page.getByRole("heading", { name: nameMask }).waitFor();
  const form = page.getByRole("form", { name: "跟进" });
  await form.getByLabel("阶段").selectOption("lost");
  await form.getByLabel("跟进记录").fill("客户不再考虑");
  await form.getByRole("button", { name: "保存跟进" }).click();
  await form.getByText("请选择原因").waitFor();
  await form.getByLabel("阶段").selectOption("appointment");
  await form.getByRole("button", { name: "明天" }).click();
  await form.getByText("微信", { exact: true }).click();
  await form.getByRole("button", { name: "保存跟进" }).click();
  await toast(page, "跟进已保存");
  await page.getByText("已约访").first().waitFor();
  await page.getByRole("link", { name: "操作记录" }).click();
  await page.getByText("客户不再考虑").first().waitFor();
});

flow("a name is revealed, and the phone becomes a link that calls", { as: "north.sales1" }, async (page) => {
  const { id } = await clueOf("north.sales1", "new").catch(() => clueOf("north.sales1", "following"));
  await visit(page, `/crm/clue/${id}`);
  await page.getByRole("button", { name: "查看", exact: true }).click();
  const link = page.getByRole("link", { name: "拨打电话" });
  await link.waitFor();
  assert.match(await link.getAttribute("href"), /^tel:1\d{10}$/);
});

flow("back from a clue returns to the list as it was", { as: "north.manager" }, async (page) => {
  await visit(page, "/crm/clue?state=open&current=2");
  await page.locator("tbody th a").first().click();
  await page.getByRole("form", { name: "跟进" }).or(page.getByText("线索在公海中")).or(page.getByText("线索已结束")).first().waitFor();
  await page.getByRole("link", { name: /线索/ }).and(page.locator(".ll-back")).click();
  await page.waitForURL(/\/crm\/clue\?state=open&current=2$/);
});

flow("clues are split among salespeople and released", { as: "north.manager" }, async (page) => {
  await visit(page, "/crm/clue?stage=following");
  const rows = page.locator("tbody tr");
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  await page.getByRole("group", { name: "批量操作" }).getByRole("button", { name: "分配" }).click();
  const dialog = page.getByRole("dialog", { name: "分配 2 条线索" });
  const people = dialog.getByRole("row");
  await people.filter({ hasText: "马丽" }).getByRole("checkbox").check();
  await people.filter({ hasNotText: "马丽" }).getByRole("checkbox").first().check();
  const preview = dialog.getByRole("status").filter({ hasText: /将分配：.* [12]$/ });
  const shares = (await preview.innerText()).match(/\d+(?=、|$)/g);
  await axe(page);
  await dialog.getByRole("button", { name: "分配", exact: true }).click();
  await page.getByText(`${shares.reduce((sum, share) => sum + Number(share), 0)} 条线索已处理`).waitFor();
});

flow("a note that is not saved outlives the page, and is not left without a question", { as: "north.sales1" }, async (page) => {
  const { id } = await clueOf("north.sales1", "following");
  page.on("dialog", (question) => question.accept());
  await visit(page, `/crm/clue/${id}`);
  const form = page.getByRole("form", { name: "跟进" });
  await form.getByText("微信", { exact: true }).click();
  await form.getByLabel("跟进记录").fill("客户让晚上再打");
  await page.getByRole("link", { name: "详情", exact: true }).click();
  await page.getByRole("dialog", { name: "放弃未保存的修改？" }).getByRole("button", { name: "取消" }).click();
  await page.waitForFunction((id) => Object.keys(localStorage).some((name) => name.includes(` clue.follow ${id} `)), id);
  await page.reload();
  await form.getByRole("button", { name: "恢复" }).click();
  assert.equal(await form.getByLabel("跟进记录").inputValue(), "客户让晚上再打");
  assert.ok(await form.getByRole("radio", { name: "微信", exact: true }).isChecked());
  await axe(page);
  await form.getByRole("button", { name: "保存跟进" }).click();
  await toast(page, "跟进已保存");
  assert.equal(await page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("draft "))), false);
});

// S7.23 S7.30
flow("a note on the page of a clue takes a file", { as: "north.sales1" }, async (page) => {
  const { id } = await clueOf("north.sales1", "following");
  await visit(page, `/crm/clue/${id}`);
  const form = page.getByRole("form", { name: "跟进" });
  await form.getByLabel("附件").setInputFiles({ name: "合同.png", mimeType: "image/png", buffer: PNG });
  await form.getByRole("button", { name: "移除 合同.png" }).waitFor();
  await form.getByLabel("跟进记录").fill("客户发来合同");
  await axe(page);
  await page.keyboard.press("Control+Enter");
  await toast(page, "跟进已保存");
  const entry = page.locator(".crm-story li", { hasText: "客户发来合同" });
  await entry.getByRole("link", { name: "合同.png" }).waitFor();
  assert.equal(await form.getByRole("button", { name: "移除 合同.png" }).count(), 0, "the next note begins without files");
});

flow("the page of a clue is worked by single keys", { as: "north.sales1" }, async (page) => {
  const { id } = await clueOf("north.sales1", "following");
  await visit(page, `/crm/clue/${id}`);
  const form = page.getByRole("form", { name: "跟进" });
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "键盘快捷键" });
  await help.getByText("结果：接通").waitFor();
  await axe(page);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  assert.match(page.url(), new RegExp(`/crm/clue/${id}$`), "a key counts for nothing behind a dialog");

  await page.keyboard.press("r");
  await page.getByRole("link", { name: "拨打电话" }).waitFor();
  // A focused radio button takes no text, so the keys work.
  await form.getByRole("radio", { name: "接通" }).focus();
  await page.keyboard.press("2");
  assert.ok(await form.getByRole("radio", { name: "未接" }).isChecked());
  await page.keyboard.press("m");
  await page.getByRole("button", { name: "标记为拒收短信" }).waitFor();
  await page.keyboard.press("w");
  await form.waitFor();
  await page.keyboard.press("f");
  const note = form.getByLabel("跟进记录");
  assert.ok(await note.evaluate((area) => area === document.activeElement));
  await page.keyboard.type("n2ms 未接");
  assert.equal(await note.inputValue(), "n2ms 未接", "a key that is typed into a field is text");
  // The next contact is another day, so that another clue is due next.
  await form.getByRole("button", { name: "7 天后" }).click();
  await page.keyboard.press("s");
  await toast(page, "跟进已保存");
  await page.waitForURL((url) => /\/crm\/clue\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`));

  // They can be turned off, as WCAG 2.1.4 asks.
  const here = page.url();
  await form.waitFor();
  await page.keyboard.press("?");
  await help.getByRole("checkbox", { name: /启用单键快捷键/ }).uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await page.keyboard.press("f");
  assert.ok(await form.getByLabel("跟进记录").evaluate((area) => area !== document.activeElement));
  assert.equal(page.url(), here);
});

// S7.27
flow("money is confirmed on the page of its clue, by a second person", { as: "north.manager" }, async (page) => {
  const [clue] = (await call("POST", "/crm/pushPage", { state: "open", holder: "owned", pageSize: 1 }, "north.manager")).list;
  const money = { clueId: clue.id, type: "service", amountCents: 12_300, payMethod: "bank", paidAt: Date.now() - 3_600_000, proofFileIds: [], remark: "" };
  const { clueId, no } = await call("POST", "/crm/addMoney", money, "admin");
  await visit(page, `/crm/clue/${clueId}?tab=money`);
  const row = page.getByRole("row", { name: new RegExp(no) });
  // The table stands in a section of the same name: only one of them may be a landmark.
  await axe(page);
  await row.getByRole("button", { name: "确认", exact: true }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await dialog.waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "确认", exact: true }).click();
  await toast(page, "收款已确认");
  await row.getByText("已确认").waitFor();
  await row.getByRole("button", { name: "确认", exact: true }).waitFor({ state: "detached" });
  await row.getByRole("link", { name: no }).click();
  await page.waitForURL(/\/crm\/money\/\d+$/);
});

flow("a card of the board moves by its menu, and by dragging", { as: "north.sales1" }, async (page) => {
  await visit(page, "/crm/board");
  await axe(page);
  const column = (name) => page.getByRole("region", { name, exact: true });
  await page.getByRole("link", { name: "收起“新线索”" }).click();
  await column("新线索").waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^展开“新线索”/ }).click();
  await column("新线索").waitFor();
  const card = column("跟进中").getByRole("article").first();
  await card.getByText(/本阶段 \d+ 天/).waitFor();
  await card.getByRole("button", { name: "移动到…" }).click();
  await page.getByRole("menuitem", { name: "已约访" }).click();
  const dialog = page.getByRole("dialog", { name: /^跟进/ });
  await dialog.getByLabel("跟进记录").fill("看板移动");
  await dialog.getByRole("button", { name: "保存跟进" }).click();
  await toast(page, "跟进已保存");
  await column("跟进中").getByRole("article").first().dragTo(column("已上门"));
  await page.getByRole("dialog", { name: /^跟进/ }).waitFor();
  await page.keyboard.press("Escape");
});

flow("a clue is claimed from the pool", { as: "north.sales2" }, async (page) => {
  const { subOrgId, adminId } = await call("GET", "/crm/get", undefined, "north.sales2");
  const { list } = await call("POST", "/crm/pushPage", { state: "open", holder: "owned", subOrgId, test: "no", pageSize: 50 }, "north.manager");
  const { id, no } = list.find(({ ownerId }) => ownerId !== adminId);
  await call("POST", "/crm/release", { ids: [id] }, "north.manager");
  await visit(page, `/crm/pool?keyword=${no}&test=no`);
  assert.equal(await page.locator('select[name="test"]').inputValue(), "no");
  await page.locator("tbody tr").first().getByRole("button", { name: "领取" }).click();
  await page.waitForURL(/\/crm\/clue\/\d+$/);
  await toast(page, "线索已领取");
  await page.getByRole("form", { name: "跟进" }).waitFor();
});

flow("without scripts a clue is read and followed up", { as: "north.sales1", script: false }, async (page) => {
  const { id } = await clueOf("north.sales1", "following");
  await page.goto(`/crm/clue/${id}`);
  await page.getByLabel("跟进记录").fill("无脚本跟进");
  await page.getByLabel("阶段").selectOption("lost");
  await page.getByRole("button", { name: "保存跟进" }).click();
  await page.getByText("请选择原因").first().waitFor();
  assert.equal(await page.getByLabel("跟进记录").inputValue(), "无脚本跟进", "what was typed is kept");
  await page.getByLabel("阶段").selectOption("following");
  await page.getByRole("button", { name: "保存跟进" }).click();
  await page.waitForURL(new RegExp(`/crm/clue/${id}$`));
  await page.locator(".crm-story").getByText("无脚本跟进").waitFor();
  await page.goto("/crm/board");
  await page.getByRole("article").first().getByRole("link").first().click();
  await page.waitForURL(/\/crm\/clue\/\d+$/);
});

// S7.23
flow("without scripts a card of the board moves by its form", { as: "north.sales1", script: false }, async (page) => {
  const { no, nameMask } = await clueOf("north.sales1", "following");
  await page.goto("/crm/board?state=open");
  const column = (name) => page.getByRole("region", { name, exact: true });
  await column("跟进中").getByRole("article").first().getByText(nameMask).waitFor();
  const form = page.getByRole("form", { name: `移动线索 ${no}` });
  await form.getByLabel("阶段").selectOption("appointment");
  await form.getByRole("button", { name: "移动" }).click();
  await page.getByRole("status").getByText(`${no} 已移动到“已约访”`).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("state"), "open", "the board is as it was");
  await column("已约访").getByRole("form", { name: `移动线索 ${no}` }).waitFor();

  // A stage that needs a reason opens the clue's page, with the stage chosen and the note kept.
  await form.getByLabel("阶段").selectOption("lost");
  await form.getByLabel("跟进记录").fill("客户放弃");
  await form.getByRole("button", { name: "移动" }).click();
  const follow = page.getByRole("form", { name: "跟进" });
  await follow.getByText("请选择原因").first().waitFor();
  assert.equal(await follow.getByLabel("阶段").inputValue(), "lost");
  assert.equal(await follow.getByLabel("跟进记录").inputValue(), "客户放弃");
});

// S7.23 S7.30
flow("without scripts a note takes files", { as: "north.sales1", script: false }, async (page) => {
  const { id } = await clueOf("north.sales1", "visited", "following", "appointment", "new");
  await page.goto(`/crm/clue/${id}`);
  await page.getByLabel("跟进记录").fill("无脚本附件");
  await page.getByLabel("附件").setInputFiles([
    { name: "a.png", mimeType: "image/png", buffer: PNG },
    { name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("text") },
  ]);
  await page.getByRole("button", { name: "保存跟进" }).click();
  await page.getByText(/b\.txt.*不支持的文件类型/).first().waitFor();
  assert.equal(await page.getByLabel("跟进记录").inputValue(), "无脚本附件", "what was typed is kept");
  await page.getByLabel("附件").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: PNG });
  await page.getByRole("button", { name: "保存跟进" }).click();
  await page.waitForURL(new RegExp(`/crm/clue/${id}$`));
  await page.locator(".crm-story li", { hasText: "无脚本附件" }).getByRole("link", { name: "a.png" }).waitFor();
});

flow("my day counts what its lists show, and stops new leads", { as: "south.sales1" }, async (page) => {
  const { figures } = await call("GET", "/crm/center", undefined, "south.sales1");
  for (const { href, value } of figures.filter(({ href }) => href.startsWith("/crm/clue"))) {
    const query = Object.fromEntries(new URL(href, "http://x").searchParams);
    assert.equal((await call("POST", "/crm/pushPage", query, "south.sales1")).total, value, href);
  }
  await visit(page, "/crm/center");
  await page.getByRole("button", { name: "暂停接收" }).click();
  await toast(page, "已暂停接收新线索");
  await page.getByRole("button", { name: "开始接收" }).click();
  await toast(page, "已开始接收新线索");
});
