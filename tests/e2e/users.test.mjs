/** /user in the browser: applicants are entered, followed, revealed and erased; the matches behind them. */
import assert from "node:assert/strict";
import { createHash, createHmac, randomUUID } from "node:crypto";

import { act, ask, axe, call, choosePlaces, flow, server, showColumns, toast, until, visit } from "./support.mjs";

const rowOf = (page, no) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name: no, exact: true }) });

/** Opens the page of an applicant from the list; returns its content. */
async function opened(page, no) {
  await rowOf(page, no).getByRole("link", { name: no, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: no, exact: true }).waitFor();
  return page.locator("#main");
}

/** Opens a tab of the page. */
async function openTab(page, name) {
  const link = page.locator(".ll-tabs").getByRole("link", { name, exact: true });
  await link.click();
  await page.locator(".ll-tabs a[aria-current=page]", { hasText: name }).waitFor();
}

/** A channel that brings applicants; `live` once a test lead of it has passed. */
async function supplier(code, live = false, changes = {}) {
  const made = await call("POST", "/channel", { code, name: `渠道 ${code}`, type: "api", settleMode: "none", ...changes }, "admin");
  if (live) {
    await call("POST", "/channel/test", { id: made.id, phone: "10000030000", name: "测试", ip: null, applicant: { age: 30, city: "上海市" } }, "admin");
    const { version } = await call("GET", `/channel/${made.id}`, undefined, "admin");
    await call("PUT", "/channel/mode", { id: made.id, version, mode: "live" }, "admin");
  }
  return made;
}

/** A running plan of North Star that buys all applicants of a channel. */
async function buyerOf(channelId, name) {
  const [org] = (await call("POST", "/org/page", { keyword: "north-star" }, "admin")).list;
  const plan = await call("POST", "/plan", {
    name, orgId: org.id, deliverMode: "crm", saleMode: "exclusive", priceCents: 9900, methodPriority: 1, weight: 1, exposureWeight: 1,
    outOfSchedule: "skip", matchRequired: false, channelAllow: [channelId],
  }, "operator");
  const pending = await call("PUT", "/plan/status", { id: plan.id, version: plan.version, status: "pending" }, "operator");
  await call("PUT", "/plan/audit", { id: plan.id, version: pending.version, approve: true }, "admin");
  return org;
}

/** An applicant, entered by the operator. */
async function entered(channelId, phone, changes = {}) {
  const consent = { agreement: "LOAN-INFO", version: "2026.2", allPartners: true };
  const user = { phone, name: "张小三", idNo: "11010519491231002X", province: "上海", consent, applicant: { city: "上海市" }, ...changes };
  // The ID number must fit a given age.
  if (user.applicant.age && !changes.idNo) user.idNo = idNoOf(user.applicant.age);
  return call("POST", "/user", { channelId, user }, "operator");
}

/** An ID number of this age: born on the first of January. */
function idNoOf(age) {
  const digits = `110105${new Date().getFullYear() - age}0101002`;
  const sum = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2].reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
  return digits + "10X98765432"[sum % 11];
}

flow("an applicant is entered by hand, what is wrong is said at its field, and his story is told", { as: "operator" }, async (page) => {
  const channel = await supplier("user-by-hand", true);
  const org = await buyerOf(channel.id, "录入计划");
  await visit(page, "/user/list");
  await page.getByRole("link", { name: "录入用户" }).first().click();
  const dialog = page.getByRole("form", { name: "录入用户" });
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await dialog.getByText("必填", { exact: true }).first().waitFor();
  await dialog.getByLabel("渠道").selectOption({ label: "渠道 user-by-hand" });
  await dialog.getByLabel("手机号").fill("1000003100");
  await dialog.getByText("请输入 11 位手机号").waitFor();
  await dialog.getByLabel("手机号").fill("10000031001");
  await dialog.getByLabel("姓名").fill("李小四");
  await dialog.getByLabel("身份证号").fill("110105194912310021");
  await dialog.getByLabel("年龄").fill("17");
  await dialog.getByText("应在 18 到 80 之间").waitFor();
  await dialog.getByLabel("年龄").fill("35");
  await choosePlaces(page, "城市", ["shanghai", "上海市"]);
  await dialog.getByLabel("申请金额").fill("80000");
  // North Star's other plan needs applicants with a house, and would come first if a lead is owed to it.
  await dialog.getByLabel("房产").selectOption({ label: "无" });
  await dialog.getByLabel("信用卡", { exact: true }).selectOption({ label: "有信用卡" });
  await dialog.locator("[id$='-agreement']").selectOption({ label: "个人信息授权书 LOAN-INFO 2026.2" });
  await dialog.getByLabel("接收方").selectOption({ label: "指定机构" });
  await dialog.getByLabel("机构编码").fill("no-such-body");
  // Errors that only the server can find are shown at the fields too.
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await dialog.locator("[id$='-idNo-error']").getByText("不是有效的身份证号").waitFor();
  await axe(page);
  await dialog.getByLabel("身份证号").fill("11010519491231002x");
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await dialog.locator("[id$='-age-error']").getByText("与身份证号中的出生日期不符").waitFor();
  const idNo = idNoOf(35);
  await dialog.getByLabel("身份证号").fill(idNo.toLowerCase());
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await dialog.locator("[id$='-recipients-error']").getByText("没有机构 no-such-body").waitFor();
  await dialog.getByLabel("机构编码").fill(org.code);
  await page.keyboard.press("Control+Enter");

  const result = page.getByRole("dialog", { name: /^录入结果：U\d{8}-/ });
  await result.getByText("已录入，正在寻找合适的计划。").waitFor();
  await result.locator(".ll-checks li", { hasText: "授权" }).getByText("通过").waitFor();
  await axe(page);
  await result.getByRole("button", { name: "查看详情" }).click();
  await page.waitForURL(/\/user\/list\/\d+$/);
  const story = page.locator("#main");
  // The open page is updated.
  await story.getByText("第 1 轮匹配").waitFor();
  await story.getByText(/^已分发：售给/).waitFor();
  await story.getByText(`售给 ${org.shortName}`).or(story.getByText(`售给 ${org.name}`)).first().waitFor();
  await story.locator(".ll-timeline > li", { hasText: "收款" }).getByText("99.00 元").waitFor();
  await story.getByText(/^授权未包含该机构 \d+$/).waitFor();
  await axe(page);
  let text = await story.innerText();
  assert.match(text, /100\*{4}1001/);
  await openTab(page, "所填资料");
  await story.getByText("80,000 元").waitFor();
  await story.getByText("有信用卡").waitFor();
  text += await story.innerText();
  await openTab(page, "来源与授权");
  await story.getByText("LOAN-INFO 2026.2").waitFor();
  text += await story.innerText();
  assert.doesNotMatch(text, /10000031001|李小四/);
  assert.ok(!text.includes(idNo.slice(0, 17)));
  await axe(page);
});

flow("what the channel requires is marked in the form of an entry, and the product is chosen by its name", { as: "operator" }, async (page) => {
  const channel = await supplier("user-requires", false, { requiredFields: ["age", "house"] });
  const [product] = await call("GET", "/product/options", undefined, "operator");
  await visit(page, "/user/list");
  await page.getByRole("link", { name: "录入用户" }).first().click();
  const dialog = page.getByRole("form", { name: "录入用户" });
  const required = dialog.locator("[id$='-age'][aria-required=true], [id$='-house'][aria-required=true]");
  await dialog.locator("[id$='-age']").waitFor();
  assert.equal(await required.count(), 0);
  await dialog.getByLabel("渠道").selectOption({ label: "渠道 user-requires（测试，不分发给正式机构）" });
  await until(async () => (await required.count()) === 2, "the marks of both fields");
  assert.equal(await dialog.locator("[id$='-city'][aria-required=true]").count(), 0);
  const picker = dialog.getByRole("combobox", { name: "产品", exact: true });
  await picker.click();
  await picker.and(page.locator("input")).fill(product.label);
  await page.getByRole("listbox").getByRole("option", { name: product.label, exact: true }).first().click();
  await dialog.getByLabel("手机号").fill("10000032901");
  await dialog.getByLabel("姓名").fill("王小六");
  await dialog.locator("[id$='-agreement']").selectOption({ label: "个人信息授权书 LOAN-INFO 2026.2" });
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await dialog.locator("[id$='-age-error']").getByText("必填", { exact: true }).waitFor();
  await dialog.locator("[id$='-house-error']").getByText("必填", { exact: true }).waitFor();
  await axe(page);
  await dialog.getByLabel("年龄").fill("35");
  await dialog.getByLabel("房产").selectOption({ label: "按揭" });
  await dialog.getByRole("button", { name: "录入", exact: true }).click();
  await page.getByRole("dialog", { name: /^录入结果：U\d{8}-/ }).waitFor();
  const { list } = await call("POST", "/user/page", { channelId: channel.id }, "operator");
  assert.deepEqual([list.length, list[0].productName], [1, product.label]);
});

flow("a list is narrowed by a whole phone or identity number, and by a number of ours", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-found");
  const mine = await entered(id, "10000031101", { idNo: "440524188001010014" });
  await entered(id, "10000031102", { idNo: null });
  for (const keyword of ["10000031101", "440524188001010014", mine.no, mine.no.toLowerCase()]) {
    await visit(page, "/user/list");
    await page.getByLabel("关键词").fill(keyword);
    await page.getByRole("button", { name: "查询" }).click();
    await page.waitForURL(/keyword=/);
    await rowOf(page, mine.no).waitFor();
    await until(async () => (await page.locator("tbody tr").count()) === 1, "the only row");
  }
  const row = rowOf(page, mine.no);
  await row.getByText("测试").waitFor();
  await row.getByRole("cell", { name: "100****1101" }).waitFor();
  // A part of a phone number finds nothing.
  await visit(page, "/user/list?keyword=1000003110");
  await page.getByText("没有符合条件的记录").waitFor();
});

flow("a form that fails a check is told which", { as: "operator" }, async (page) => {
  await showColumns(page, "/user", "reason");
  const { id } = await supplier("user-twice", true);
  await entered(id, "10000031201");
  const { status, failed } = await entered(id, "10000031201", { province: "北京", applicant: { age: 40 } });
  assert.deepEqual([status, failed], ["duplicate", "dedup"]);
  await visit(page, "/user/list?status=duplicate&channelId=" + id);
  const row = page.locator("tbody tr");
  await row.getByText("去重").waitFor();
  await row.getByRole("link").first().click();
  await page.getByText("未通过：去重").waitFor();
  await page.getByText(/^重复：未通过去重检查（.*天内已申请过：U/).waitFor();
  // Back leads to the list as it was.
  await page.getByRole("link", { name: "返回用户列表" }).click();
  await page.waitForURL(`**/user/list?status=duplicate&channelId=${id}`);
});

flow("who he is, is shown to who may see it, and that is written down", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-revealed");
  const { id: user, no } = await entered(id, "10000031301", { name: "王小五" });
  const refused = await ask("GET", `/user/reveal/${user}`, undefined, "auditor");
  assert.equal(refused.code, "1003");
  await visit(page, `/user/list?keyword=${no}`);
  await act(page, rowOf(page, no), "查看明文");
  const dialog = page.getByRole("dialog", { name: `用户 ${no} 的个人信息` });
  await dialog.getByText("10000031301").waitFor();
  await dialog.getByText("王小五").waitFor();
  await dialog.getByText("11010519491231002X").waitFor();
  await dialog.getByText("本次查看已记入操作记录。").waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await opened(page, no);
  await openTab(page, "操作记录");
  const history = page.locator("#main .ll-timeline");
  await history.getByText("查看明文").waitFor();
  await history.getByText("新增").waitFor();
});

flow("who lacks the points is not offered what he may not do", { as: "auditor" }, async (page) => {
  const { id } = await supplier("user-audited");
  const { no } = await entered(id, "10000031401");
  await visit(page, `/user/list?keyword=${no}`);
  assert.equal(await rowOf(page, no).getByRole("button", { name: "编辑" }).count(), 0);
  assert.equal(await rowOf(page, no).getByRole("button", { name: "更多" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "录入用户" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "导入", exact: true }).count(), 0);
  await opened(page, no);
  assert.equal(await page.locator(".ll-page-acts").count(), 0);
  assert.deepEqual(await page.locator(".ll-tabs a").allTextContents(), ["流转记录", "所填资料", "来源与授权", "操作记录"]);
  await openTab(page, "来源与授权");
  await page.getByText("没有授权记录").or(page.getByText("全部合作机构")).first().waitFor();
});

flow("an applicant is erased: what is wiped is said, and gone", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-erased");
  const { no } = await entered(id, "10000031501");
  await visit(page, `/user/list?keyword=${no}`);
  const row = rowOf(page, no);
  await act(page, row, "注销");
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await question.getByText(/^清除：/).waitFor();
  await question.getByText(/^保留：/).waitFor();
  await axe(page);
  await question.getByRole("button", { name: "注销" }).click();
  await toast(page, "用户已注销");
  await row.getByText("已注销").waitFor();
  assert.equal(await row.getByRole("button", { name: "查看明文" }).count(), 0);
  assert.equal(await row.getByText("100****1501").count(), 0);
  await opened(page, no);
  await openTab(page, "所填资料");
  await page.getByText("没有资料").waitFor();
});

flow("whom nobody took is distributed again", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-again", true);
  // The applicant's consent names only an organisation that buys nothing now.
  const buying = (await call("POST", "/plan/page", { status: "running", pageSize: 200 }, "admin")).list.map(({ orgId }) => orgId);
  const idle = (await call("POST", "/org/page", { pageSize: 200 }, "admin")).list.find((org) => !buying.includes(org.id));
  const consent = { agreement: "LOAN-INFO", version: "2026.2", recipients: [idle.code] };
  const { id: user, no } = await entered(id, "10000031601", { consent });
  const story = () => call("GET", `/user/${user}`, undefined, "admin");
  await until(async () => (await story()).status === "unmatched", "the end of the first round");
  await visit(page, `/user/list?keyword=${no}`);
  const row = rowOf(page, no);
  await act(page, row, "再次分发");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "再次分发" }).click();
  await toast(page, "已安排再次分发");
  await until(async () => (await story()).rounds === 2, "a second round");
  await opened(page, no);
  await page.getByText("第 2 轮匹配").waitFor();
  await page.getByText(/^未匹配：\d+ 个计划中 .*授权未包含该机构 \d+/).waitFor();
  await openTab(page, "操作记录");
  await page.getByText("已安排", { exact: true }).waitFor();
});

flow("an applicant is marked invalid and valid again, and the consent withdrawn", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-stopped", true);
  const { id: user, no } = await entered(id, "10000031701");
  const story = () => call("GET", `/user/${user}`, undefined, "admin");
  await until(async () => ["unmatched", "distributed"].includes((await story()).status), "the end of the round");
  await visit(page, `/user/list?keyword=${no}`);
  const row = rowOf(page, no);
  await act(page, row, "标记无效");
  const invalid = page.getByRole("dialog", { name: `将用户 ${no} 标记为无效` });
  await invalid.getByLabel("无效原因").selectOption({ label: "其他" });
  await invalid.getByRole("button", { name: "标记无效" }).click();
  await invalid.getByText("必填", { exact: true }).waitFor();
  await invalid.getByLabel("无效说明").fill("客户 10000031701 要求停止");
  await axe(page);
  await invalid.getByRole("button", { name: "标记无效" }).click();
  await toast(page, "已标记为无效");
  await row.getByText("无效", { exact: true }).waitFor();
  const main = await opened(page, no);
  await main.getByText("无效：由员工标记，其他。").or(main.getByText(/^无效：售给/)).or(main.getByText(/售给/)).first().waitFor();
  await openTab(page, "所填资料");
  await main.getByText("客户 100****1701 要求停止").first().waitFor();
  // What the list offers is offered here too.
  await act(page, page.locator(".ll-page-acts"), "恢复有效");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "恢复有效" }).click();
  await toast(page, "已恢复有效");

  await visit(page, `/user/list?keyword=${no}`);
  await act(page, row, "撤回授权");
  const consent = page.getByRole("dialog", { name: `撤回用户 ${no} 的授权` });
  await consent.getByLabel("撤回说明").fill("来电要求");
  await axe(page);
  await consent.getByRole("button", { name: "撤回授权" }).click();
  await toast(page, "授权已撤回");
  await row.getByText("授权已撤回").waitFor();
  await visit(page, `/user/list?consent=withdrawn&keyword=${no}`);
  await opened(page, no);
  await page.getByText(/授权已撤回，不再分发。$/).waitFor();
  await openTab(page, "来源与授权");
  await page.getByText(/\d、后台$/).waitFor();
});

/** Sends a channel's question whether an applicant is wanted. */
async function matchAs({ appKey, appSecret }, applicant) {
  const body = JSON.stringify({ phoneMd5: createHash("md5").update(randomUUID()).digest("hex"), applicant });
  const [timestamp, nonce] = [Date.now(), randomUUID()];
  const text = ["POST", "/open/match", appKey, timestamp, nonce, createHash("sha256").update(body).digest("hex")].join("\n");
  const sign = createHmac("sha256", appSecret).update(text).digest("hex");
  const address = `${server.origin}/api/open/match?appId=${appKey}&timestamp=${timestamp}&nonce=${nonce}&sign=${sign}`;
  const answer = await (await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body })).json();
  assert.equal(answer.code, "0000", JSON.stringify(answer));
  return answer.data;
}

flow("channels' questions are counted by day, and each can be looked at", { as: "operator" }, async (page) => {
  const channel = await supplier("match-asks", true);
  const { no, matched } = await matchAs(channel, { age: 30, city: "上海市" });
  await visit(page, `/user/mate-channel-list?channelId=${channel.id}`);
  const day = page.locator("tbody tr");
  await day.getByText("渠道 match-asks").waitFor();
  // One question is no base of a percentage.
  assert.equal(await page.locator("tbody, tfoot").getByText("%").count(), 0);
  await axe(page);
  await day.getByRole("button", { name: "明细" }).click();
  await page.waitForURL(/match-list\?channelId=\d+&direction=inbound/);
  const row = rowOf(page, no);
  await row.getByText(matched ? "匹配成功" : "无可用计划").waitFor();
  await row.getByRole("link", { name: no }).click();
  await page.getByRole("heading", { level: 1, name: no }).waitFor();
  const main = page.locator("#main");
  await main.getByText(`"city":"310100"`).waitFor();
  await main.getByText(/未选用的计划：\d+ 个/).waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回撞库明细" }).click();
  await page.waitForURL(/match-list\?channelId=\d+&direction=inbound/);
  await page.getByRole("navigation", { name: "渠道撞库列表" }).getByRole("link", { name: "按渠道" }).click();
  await page.waitForURL(/mate-channel-list$/);
  await page.getByRole("heading", { level: 1, name: "渠道撞库列表" }).waitFor();
});

flow("matches are narrowed by plan", { as: "operator", script: false }, async (page) => {
  const [{ value, label }] = await call("GET", "/plan/options", undefined, "operator");
  await page.goto("/user/match-list");
  await page.getByText("更多条件", { exact: true }).click();
  const plan = page.getByRole("combobox", { name: "计划", exact: true });
  assert.equal(await plan.locator(`option[value="${value}"]`).textContent(), label);
  await plan.selectOption(String(value));
  await page.getByRole("button", { name: "查询" }).click();
  assert.equal(new URL(page.url()).searchParams.get("planId"), String(value));
  assert.equal(await plan.inputValue(), String(value), "the form shows what it filters by");
});

flow("what speaks against an applicant is asked for, told by section, and written down", { as: "operator" }, async (page) => {
  const { id } = await supplier("user-risk");
  await entered(id, "10000031801", { name: "钱小一" });
  const { no } = await entered(id, "10000031801", { name: "李小二", idNo: "440524188001010014", applicant: { city: "上海市", overdue: "current" } });
  await visit(page, `/user/list?keyword=${no}`);
  const story = await opened(page, no);
  await openTab(page, "风控报告");
  const panel = story.getByRole("region", { name: "风控报告" }).last();
  await panel.getByRole("button", { name: "查询风控报告" }).click();
  await panel.getByText("内置规则").waitFor();
  await panel.getByText("自述当前逾期").waitFor();
  await panel.getByText("/ 100").waitFor();
  await axe(page);
  await panel.getByRole("button", { name: /^多头借贷/ }).click();
  await panel.getByText("7 天内申请次数").waitFor();
  await panel.getByRole("button", { name: /^黑名单/ }).click();
  await panel.getByText("该分项没有数据。").waitFor();
  await panel.getByRole("button", { name: /^基本信息/ }).click();
  await panel.getByText("当前逾期", { exact: true }).waitFor();
  await axe(page);
  assert.doesNotMatch(await story.innerText(), /10000031801|李小二/);
  await openTab(page, "操作记录");
  await story.getByText("风控来源").waitFor();
  await openTab(page, "风控报告");
  await story.getByRole("button", { name: "查询风控报告" }).click();
  await page.getByText(/沿用已有报告/).waitFor();
});

flow("a table of applicants is tried, shown with what is wrong, and taken once", { as: "operator" }, async (page) => {
  await supplier("user-table");
  await visit(page, "/user/list");
  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "导入用户" });
  await dialog.getByText(/最大 20 MB、10,000 行/).waitFor();
  const template = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "下载模板" }).click();
  assert.equal((await template).suggestedFilename(), "用户导入模板.xlsx");
  const today = new Date(Date.now() - 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  const line = (phone, name) => `user-table,${phone},${name},LOAN-INFO,2026.2,,${today},全部合作机构,上海市`;
  const table = ["渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方,城市", line("10000031901", "王小一"), line("123", "王小二")].join("\n");
  const choose = () => dialog.locator("input[type=file]").setInputFiles({ name: "用户.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await choose();
  await dialog.getByText("共 2 行：可导入 1 行，重复 0 行，错误 1 行。").waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "导入 1 行" }).click();
  await dialog.getByText("共 2 行：已导入 1 行，重复 0 行，错误 1 行。").waitFor();
  await dialog.getByRole("link", { name: "下载错误行" }).waitFor();
  await dialog.getByRole("button", { name: "关闭", exact: true }).last().click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("tbody").getByText("100****1901").first().waitFor();
  await page.getByRole("button", { name: "导入", exact: true }).click();
  await choose();
  await dialog.getByText("共 2 行：可导入 0 行，重复 1 行，错误 1 行。").waitFor();
});

for (const theme of ["light", "dark"]) {
  flow(`a narrow screen holds form and story in English, ${theme}`, { as: "operator", locale: "en-US", theme, width: 360, height: 800 }, async (page) => {
    const { id } = await supplier(`user-narrow-${theme}`);
    const { no } = await entered(id, theme === "light" ? "10000031701" : "10000031702", {
      applicant: { age: 30, city: "上海市", applyAmountCents: 5_000_000, house: "mortgaged", creditCard: true },
    });
    const pageFits = async () => assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await visit(page, `/user/list?keyword=${no}`);
    await page.getByRole("link", { name: "Add user" }).first().click();
    const form = page.getByRole("form", { name: "Add user" });
    await form.getByRole("heading", { name: "Property and credit" }).waitFor();
    await pageFits();
    await axe(page);
    await form.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL(/user\/list\?keyword=/);
    await page.locator("#main").getByRole("link", { name: no }).first().click();
    const story = page.locator("#main");
    await story.getByText("Test leads are not deduplicated").waitFor();
    await pageFits();
    await axe(page);
    await openTab(page, "Application details");
    await story.getByText("50,000 CNY").waitFor();
    await story.getByText("Mortgaged").waitFor();
    await pageFits();
    await openTab(page, "Source and consent");
    await story.getByText("All our partners").waitFor();
    await pageFits();
    await axe(page);
  });
}
