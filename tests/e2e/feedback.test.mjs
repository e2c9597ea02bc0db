/** Feedback and returns in the browser: entered, handled, sent to channels, decided on; and the key that organisations sign with. */
import assert from "node:assert/strict";

import { act, axe, call, flow, showColumns, toast, until, visit } from "./support.mjs";

const rowOf = (page, text) => page.locator("tbody tr", { hasText: text });
const dialogOf = (page, name) => page.getByRole("dialog", { name });

/** An applicant whose lead was sold. */
async function bought() {
  return (await call("POST", "/user/page", { status: "distributed" }, "operator")).list[0];
}

/** A lead of North Star that may be given back. */
async function returnable() {
  const [section] = (await call("GET", "/setting/list", undefined, "admin")).filter(({ settings }) => settings.some(({ key }) => key === "lead.return_least"));
  const { version } = section.settings.find(({ key }) => key === "lead.return_least");
  if (version === 0) await call("PUT", "/setting", { changes: [{ key: "lead.return_least", value: 100, version }] }, "admin");
  const { list } = await call("POST", "/plan/push/page", { status: "accepted", pageSize: 200 }, "north.manager");
  return list.find(({ returnStatus, soldAt }) => returnStatus === null && Date.now() - soldAt < 5 * 86_400_000);
}

flow("feedback is entered on an applicant, shown in his story, and handled", { as: "operator" }, async (page) => {
  await showColumns(page, "/user", "star");
  await showColumns(page, "/user/feedback", "content", "loanCents");
  const { no } = await bought();
  await visit(page, `/user/list?keyword=${no}`);
  await act(page, rowOf(page, no), "录入反馈");
  const dialog = dialogOf(page, /^录入反馈/);
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("请填写星级或结果").waitFor();
  assert.equal(await dialog.getByLabel("放款金额（元）").count(), 0);
  await dialog.getByLabel("星级").selectOption({ label: "3 优质" });
  await dialog.getByLabel("结果").selectOption({ label: "已放款" });
  await dialog.getByLabel("放款金额（元）").fill("20000");
  await dialog.getByLabel("内容").fill("流程反馈 13812345678");
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "反馈已录入");
  await rowOf(page, no).getByText("3 优质").waitFor();

  await rowOf(page, no).getByRole("link", { name: no, exact: true }).click();
  const story = page.locator("#main");
  await story.getByText("后台反馈").first().waitFor();
  await story.getByText("流程反馈 138****5678").waitFor();
  await axe(page);

  await visit(page, `/user/feedback-list?keyword=${no}&source=staff&endCode=disbursed`);
  const row = rowOf(page, "流程反馈");
  await row.getByText("20,000.00").waitFor();
  await act(page, row, "开始处理");
  const step = dialogOf(page, /^开始处理/);
  await step.getByLabel("处理说明").fill("已核实");
  await step.getByRole("button", { name: "开始处理" }).click();
  await toast(page, "反馈已更新");
  await row.getByText("处理中").waitFor();
  await row.getByRole("link", { name: no, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: no }).waitFor();
  const main = page.locator("#main");
  await main.getByText("已核实", { exact: true }).waitFor();
  await main.getByText(/^处理中：.+ 开始处理。/).waitFor();
  await main.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await main.getByText("修改", { exact: true }).first().waitFor();
  await axe(page);
  await main.getByRole("button", { name: "处理完成" }).click();
  await dialogOf(page, /^处理完成/).getByRole("button", { name: "处理完成" }).click();
  await toast(page, "反馈已更新");
  await main.getByText(/^已处理：.+ 处理完成。/).waitFor();
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回反馈列表" }).click();
  await page.waitForURL(`**/user/feedback-list?keyword=${no}&source=staff&endCode=disbursed`);
});

flow("how a channel was told is seen, and told again", { as: "operator" }, async (page) => {
  await visit(page, "/user/feedback-list?callbackStatus=failed");
  const row = page.locator("tbody tr").first();
  await row.getByRole("link").first().click();
  const main = page.locator("#main");
  await main.getByText("回传过程").waitFor();
  await main.getByText("第 4 次").waitFor();
  await main.getByText(/请重新回传，或放弃回传。$/).waitFor();
  await axe(page);
  await act(page, main, "重新回传");
  await dialogOf(page, /^重新回传给/).getByRole("button", { name: "重新回传" }).click();
  await toast(page, "已安排重新回传");
});

flow("an organisation gives a lead back, and takes that back", { as: "north.manager" }, async (page) => {
  const { no } = await returnable();
  await visit(page, `/plan/push-list?keyword=${no}`);
  const row = rowOf(page, no);
  await act(page, row, "申请退单");
  const dialog = dialogOf(page, /^申请退单/);
  await dialog.getByRole("button", { name: "申请退单" }).click();
  await dialog.getByText("必填").first().waitFor();
  await dialog.getByLabel("退单原因").selectOption({ label: "空号" });
  await dialog.getByLabel("说明").fill("连打三天");
  await axe(page);
  await dialog.getByRole("button", { name: "申请退单" }).click();
  await toast(page, "已申请退单");
  await row.getByText("待审", { exact: true }).waitFor();
  assert.equal(await row.getByRole("button", { name: "审核退单" }).count(), 0);
  await act(page, row, "撤回退单");
  await dialogOf(page, /^撤回推送/).getByRole("button", { name: "撤回退单" }).click();
  await toast(page, "退单已撤回");
  await row.getByText("撤回", { exact: true }).waitFor();
});

flow("a return is withdrawn by who asked for it and decided on by others", { as: "admin" }, async (page) => {
  const offered = async (no) => {
    await visit(page, `/plan/push-list?keyword=${no}&returnStatus=pending`);
    const more = rowOf(page, no).getByRole("button", { name: "更多" });
    if ((await more.count()) > 0) await more.click();
    const all = page.getByRole("button").or(page.getByRole("menuitem"));
    const [audit, withdraw] = await Promise.all(["审核退单", "撤回退单"].map((name) => all.filter({ hasText: name }).count()));
    return { audit, withdraw };
  };
  const theirs = await returnable();
  await call("POST", "/plan/return", { pushId: theirs.id, reasonCode: "duplicate" }, "north.manager");
  assert.deepEqual(await offered(theirs.no), { audit: 1, withdraw: 0 });
  const own = await returnable();
  await call("POST", "/plan/return", { pushId: own.id, reasonCode: "duplicate" }, "admin");
  assert.deepEqual(await offered(own.no), { audit: 0, withdraw: 1 });
});

flow("a return is decided on and its price refunded", { as: "admin" }, async (page) => {
  const { id, no, priceCents } = await returnable();
  await call("POST", "/plan/return", { pushId: id, reasonCode: "duplicate" }, "north.manager");
  await visit(page, `/plan/push-list?keyword=${no}&returnStatus=pending`);
  await act(page, rowOf(page, no), "审核退单");
  // The page shows what decides.
  await page.getByRole("heading", { level: 1, name: no }).waitFor();
  await page.locator(".ll-page-acts").getByRole("button", { name: "通过退单" }).click();
  const dialog = dialogOf(page, /^审核退单/);
  await dialog.getByLabel("追回渠道费用").check();
  await axe(page);
  await dialog.getByRole("button", { name: "通过退单" }).click();
  await toast(page, "退单已审核");
  await visit(page, `/plan/push-list?keyword=${no}`);
  await rowOf(page, no).getByText("已退回").waitFor();
  await rowOf(page, no).getByRole("link", { name: no, exact: true }).click();
  const main = page.locator("#main");
  await main.getByText("退单已通过，款项已退回。").waitFor();
  await main.getByText("退款金额（元）").waitFor();
  const yuan = (priceCents / 100).toFixed(2);
  await main.getByText(yuan, { exact: true }).first().waitFor();
  await axe(page);
});

flow("a return is rejected on the page of its push", { as: "admin" }, async (page) => {
  const { id, no } = await returnable();
  await call("POST", "/plan/return", { pushId: id, reasonCode: "duplicate", note: "与老客户重复" }, "north.manager");
  await visit(page, `/plan/push-list/${id}`);
  const main = page.locator("#main");
  await main.getByText("与老客户重复").waitFor();
  await axe(page);
  await main.getByRole("button", { name: "驳回退单" }).click();
  const dialog = dialogOf(page, /^审核退单/);
  assert.equal(await dialog.getByLabel("追回渠道费用").count(), 0);
  await dialog.getByRole("button", { name: "驳回退单" }).click();
  await dialog.getByText("必填").first().waitFor();
  await dialog.getByLabel("审核意见").fill("非同一人");
  await axe(page);
  await dialog.getByRole("button", { name: "驳回退单" }).click();
  await toast(page, "退单已审核");
  await main.getByText("非同一人").waitFor();
  assert.equal(await main.getByRole("button", { name: "通过退单" }).count(), 0);
  await page.getByRole("heading", { level: 1, name: no }).waitFor();
});

flow("returns whose replacement is due are listed", { as: "admin", script: false }, async (page) => {
  const { id, no } = await returnable();
  const requested = await call("POST", "/plan/return", { pushId: id, reasonCode: "duplicate" }, "north.manager");
  await call("PUT", "/plan/return/audit", { id: requested.id, version: requested.version, approve: true, replace: true }, "admin");
  await page.goto("/plan/push-list");
  await page.getByText("更多条件", { exact: true }).click();
  const filter = page.locator('select[name="replacementDue"]');
  await filter.selectOption({ label: "待补发" });
  await page.getByRole("button", { name: "查询" }).click();
  assert.equal(new URL(page.url()).searchParams.get("replacementDue"), "yes");
  assert.equal(await filter.inputValue(), "yes", "the form shows what it filters by");
  const listed = await rowOf(page, no).count();
  // A lead may have been sold meanwhile.
  const { replacementNo } = await call("GET", `/plan/return/${requested.id}`, undefined, "admin");
  assert.ok(listed === 1 || replacementNo !== null);
});

flow("an organisation's signing key is made, shown once, changed and ended", { as: "operator" }, async (page) => {
  const { list } = await call("POST", "/org/page", { status: "active" }, "operator");
  const { name, code } = list.at(-1);
  await visit(page, `/org/list?keyword=${code}`);
  const open = async () => {
    await act(page, rowOf(page, name), "签名密钥");
    return dialogOf(page, /的签名密钥$/);
  };
  let drawer = await open();
  await drawer.getByRole("button", { name: "生成密钥" }).click();
  await page.getByText("App Secret").waitFor();
  await axe(page);
  await page.getByRole("button", { name: "我已保存" }).click();
  drawer = await open();
  await drawer.getByRole("button", { name: "更换密钥" }).click();
  const rotate = dialogOf(page, /^更换/);
  await rotate.getByRole("button", { name: "更换密钥" }).click();
  await page.getByText("App Secret").waitFor();
  await page.getByRole("button", { name: "我已保存" }).click();
  drawer = await open();
  await drawer.getByText("旧密钥有效至").waitFor();
  await axe(page);
  await drawer.getByRole("button", { name: "停用旧密钥" }).click();
  await dialogOf(page, /的旧签名密钥？$/).getByRole("button", { name: "停用旧密钥" }).click();
  await toast(page, "旧密钥已停用");
});

flow("on a phone, in English and in the dark, it is all there", { as: "operator", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  await visit(page, "/user/feedback-list");
  await page.getByRole("heading", { name: "Feedback list", level: 1 }).waitFor();
  await axe(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `the page is ${wide} px wide`);
  // Numbers differ at their end: it has to be in sight.
  const cut = await page.locator("tbody th").evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).length);
  assert.equal(cut, 0, "no number is cut");
  await page.locator("tbody tr").first().getByRole("link").first().click();
  await page.locator("#main").getByText("Outcome").first().waitFor();
  await axe(page);
});

flow("what somebody else has handled meanwhile is said to be stale, and seen as it is", { as: "operator" }, async (page) => {
  const { list } = await call("POST", "/user/feedback/page", { handleStatus: "open", callbackStatus: "none" }, "operator");
  // An applicant with no other open feedback, so that the row of the action is the handled one.
  const alone = await Promise.all(list.map(async ({ userNo }) => (await call("POST", "/user/feedback/page", { handleStatus: "open", keyword: userNo }, "operator")).total === 1));
  const { id, version, userNo } = list.findLast((_, index) => alone[index]);
  await visit(page, `/user/feedback-list?keyword=${userNo}&handleStatus=open`);
  const rows = page.locator("tbody tr");
  const before = await rows.count();
  await call("PUT", "/user/feedback/handle", { id, version, status: "closed", reply: "" }, "admin");
  await act(page, rows.last(), "开始处理");
  const step = dialogOf(page, /^开始处理/);
  await step.getByLabel("处理说明").fill("晚了一步");
  await step.getByRole("button", { name: "开始处理" }).click();
  await step.getByRole("alert").getByText("请关闭后按最新内容重新操作").waitFor();
  await axe(page);
  // It cannot be saved, so closing does not ask about discarding it.
  await step.getByRole("button", { name: "取消" }).click();
  await until(async () => (await rows.count()) === before - 1, "the list as it is now");
});

flow("a try to tell a channel says in words what went wrong", { as: "operator" }, async (page) => {
  await visit(page, "/user/feedback-list?callbackStatus=failed");
  await page.locator("tbody tr").first().getByRole("link").first().click();
  const main = page.locator("#main");
  await main.getByText("对方返回错误状态码").first().waitFor();
  assert.doesNotMatch(await main.innerText(), /bad_status/);
});

flow("who may only look has no button to handle or decide", { as: "auditor" }, async (page) => {
  await visit(page, "/user/feedback-list");
  await page.locator("tbody tr").first().getByRole("link").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "更多" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "开始处理" }).count(), 0);
  await visit(page, "/plan/push-list?returnStatus=pending");
  await page.locator("tbody tr").first().getByRole("link").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "审核退单" }).count(), 0);
});

flow("what no channel can be told is given up", { as: "operator" }, async (page) => {
  await showColumns(page, "/user/feedback", "callbackStatus");
  await visit(page, "/user/feedback-list?callbackStatus=failed");
  const first = page.locator("tbody tr").first();
  const { total } = await call("POST", "/user/feedback/page", { callbackStatus: "failed" }, "operator");
  await page.getByText(`共 ${total} 条`).waitFor();
  const no = (await first.getByText(/^U\d{8}-/).first().innerText()).trim();
  await act(page, first, "放弃回传");
  const question = dialogOf(page, /^不再回传给/);
  await axe(page);
  await question.getByRole("button", { name: "放弃回传" }).click();
  await toast(page, "已放弃回传");
  // An applicant may have two open reports: then one is left.
  await (total === 1 ? page.getByText(`共 ${total} 条`).waitFor({ state: "detached" }) : page.getByText(`共 ${total - 1} 条`).waitFor());
  await visit(page, `/user/feedback-list?callbackStatus=given_up&keyword=${no}`);
  await rowOf(page, no).getByText("已放弃").first().waitFor();
});
