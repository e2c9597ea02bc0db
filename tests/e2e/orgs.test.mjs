/** Organisations: they are created, checked and activated; their delivery settings; the payees they pay. */
import assert from "node:assert/strict";
import { act, axe, call, flow, showColumns, toast, until, visit } from "./support.mjs";

const blank = {
  shortName: "简称", type: "broker", mode: "live", licenceNo: "L-1", licenceExpireOn: "2099-12-31", contactName: "邵明", contactPhone: "13812340001",
  billMode: "prepaid", alertPhones: ["13812340002"], returnAllowed: true, returnMaxDays: 7, returnMaxBp: 1000,
};

/** Makes an organisation to work on. */
const makeOrg = (code, fields = {}) => call("POST", "/org", { ...blank, code, name: `机构 ${code}`, ...fields }, "admin");

const rowOf = (page, code) => page.locator("tbody tr", { has: page.getByRole("cell", { name: code, exact: true }).or(page.getByRole("rowheader", { name: code, exact: true })) });

/** Runs an action of an organisation's row. */
const choose = (page, code, label) => act(page, rowOf(page, code), label);

/** Says yes to the question that is open. */
async function agree(page) {
  const dialog = page.getByRole("dialog");
  await dialog.locator(".ll-dialog-foot button").last().click();
  await dialog.waitFor({ state: "detached" });
}

flow("a new organisation: what is wrong is said at its field, phones come back masked", { as: "operator" }, async (page) => {
  await showColumns(page, "/org", "contactPhoneMask");
  await visit(page, "/org/list");
  await page.getByRole("button", { name: "新增机构" }).click();
  const dialog = page.getByRole("dialog", { name: "新增机构" });
  await dialog.getByLabel("机构编码").fill("x");
  await dialog.getByLabel("结算方式").selectOption({ label: "授信" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("2 到 32 位字母、数字、- 或 _").waitFor();
  await dialog.getByLabel("机构编码").fill("made-by-hand");
  await dialog.getByLabel("机构名称").fill("手工机构");
  await dialog.getByLabel("简称").fill("手工");
  await dialog.getByLabel("机构类型").selectOption("助贷中介");
  await dialog.getByLabel("允许退单").uncheck();
  assert.equal(await dialog.getByLabel("自动通过退单").count(), 0, "without returns, none is approved");
  await dialog.getByLabel("允许退单").check();
  await dialog.getByLabel("授信额度").fill("50,000");
  await dialog.getByLabel("联系电话").fill("13812340001");
  await dialog.getByLabel("预警手机").fill("13812340002\n13812340003");
  await page.keyboard.press("Control+Enter");
  await toast(page, "已保存，授信与退单条件待他人审核后生效");
  const [{ id, version }] = (await call("POST", "/org/page", { keyword: "made-by-hand" }, "admin")).list;
  await call("PUT", "/org/audit", { id, version, approve: true }, "admin");
  await visit(page, "/org/list?keyword=made-by-hand");
  const row = rowOf(page, "made-by-hand");
  await row.getByRole("cell", { name: "50,000.00" }).waitFor();
  await row.getByRole("cell", { name: "138****0001" }).waitFor();

  // Masks that are sent back leave the stored numbers as they are.
  await row.getByRole("button", { name: "编辑" }).click();
  const editing = page.getByRole("dialog", { name: "编辑机构" });
  assert.equal(await editing.getByLabel("预警手机").inputValue(), "138****0002\n138****0003");
  await editing.getByLabel("简称").fill("改过");
  await editing.getByRole("button", { name: "保存" }).click();
  await toast(page, "机构已保存");
  await row.getByRole("link", { name: "手工机构", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "手工机构" }).waitFor();
  const main = page.locator("#main");
  await main.getByText(/^待审：不接收线索。首次启用前还需/).waitFor();
  await axe(page);
  await main.getByRole("button", { name: "查看" }).last().click();
  await main.getByText("13812340001").waitFor();
  await page.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await main.getByText("简称: 手工 → 改过").waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回机构列表" }).click();
  await page.waitForURL("**/org/list?keyword=made-by-hand");
});

flow("business begins with a passed check, is paused, and ends", { as: "admin" }, async (page) => {
  await makeOrg("goes-through");
  await visit(page, "/org/list?keyword=goes-through");
  const status = rowOf(page, "goes-through").locator("td .ll-tag").first();
  await choose(page, "goes-through", "启用");
  const activation = page.getByRole("dialog", { name: "启用机构“机构 goes-through”？" });
  await activation.getByText("未检测").waitFor();
  await activation.getByRole("button", { name: "合规检测" }).click();
  await activation.getByRole("button", { name: "启用", exact: true }).click();
  await activation.waitFor({ state: "detached" });
  await until(async () => (await status.textContent()) === "合作中", "it is active");
  for (const [action, after] of [["暂停", "暂停"], ["恢复", "合作中"], ["暂停", "暂停"], ["终止", "终止"]]) {
    await choose(page, "goes-through", action);
    await agree(page);
    await until(async () => (await status.textContent()) === after, `the status ${after}`);
  }
});

flow("delivery settings: a key goes in and does not come out", { as: "admin" }, async (page) => {
  const key = "00112233445566778899aabbccddeeff";
  const { id } = await makeOrg("by-api");
  await visit(page, "/org/list?keyword=by-api");
  await choose(page, "by-api", "修改接口配置");
  const dialog = page.getByRole("dialog", { name: "“机构 by-api”的接口配置" });
  await dialog.getByLabel("接口状态").selectOption({ label: "启用" });
  await dialog.getByLabel("加密方式").selectOption({ label: "AES" });
  await dialog.getByLabel("进件地址").fill("https://127.0.0.1/apply");
  await dialog.getByLabel("新密钥").fill(key);
  await dialog.getByLabel("对方的“姓名”字段").fill("userName");
  await dialog.getByLabel("对方的“手机号”字段").fill("user mobile");
  await dialog.getByLabel("值映射").fill("sex.male = 1");
  await dialog.getByLabel("进件成功条件").fill("code == \"0000\"");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("字段名由字母、数字和 . _ - [ ] 组成").waitFor();
  await dialog.getByLabel("对方的“手机号”字段").fill("mobile");
  // What is typed is tried before it is saved.
  await dialog.getByLabel("对方的“性别”字段").fill("gender");
  const trial = dialog.getByRole("region", { name: "试一试" });
  await trial.getByLabel("机构的应答").fill('{"code": "0000"}');
  await trial.getByRole("button", { name: "试一下" }).click();
  await trial.getByText('"gender": "1"').first().waitFor();
  await trial.getByText("进件成功条件 满足").waitFor();
  await trial.getByLabel("机构的应答").fill("<html>");
  await trial.getByRole("button", { name: "试一下" }).click();
  await trial.getByText("不是 JSON").waitFor();
  await axe(page);
  await dialog.getByLabel("对方的“性别”字段").fill("");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("请输入以 https:// 开头的公网网址").waitFor();
  await dialog.getByLabel("进件地址").fill("https://api.example.com/apply");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "接口配置已提交，待他人审核后生效");
  const { version } = await call("GET", `/org/api/${id}`, undefined, "admin");
  await call("PUT", "/org/api/audit", { id, version, approve: true }, "operator");
  await choose(page, "by-api", "接口配置");
  const drawer = page.getByRole("dialog", { name: "“机构 by-api”的接口配置" });
  await drawer.getByText(/起使用）$/).waitFor();
  const fields = drawer.getByText("name = userName phone = mobile");
  assert.equal(await fields.innerText(), "name = userName\nphone = mobile", "one a line, as they are typed");
  await axe(page);
  assert.ok(!(await page.content()).includes(key));
});

flow("settings saved again without a key keep the one that is proposed, and its hours", { as: "operator" }, async (page) => {
  const { id } = await makeOrg("rekeyed");
  const settings = {
    id, crypto: "aes", timeoutMs: 5000, retryMax: 3, fieldMap: { phone: "mobile" }, applyOkExpr: "code == 0", status: "enabled",
    applyUrl: "https://api.example.com/apply", key: "00112233445566778899aabbccddeeff",
  };
  const first = await call("PUT", "/org/api", { ...settings, version: 0 }, "operator");
  const used = await call("PUT", "/org/api/audit", { id, version: first.version, approve: true }, "admin");
  const key = "ffeeddccbbaa99887766554433221100";
  const saved = await call("PUT", "/org/api", { ...settings, version: used.version, key, overlapHours: 48 }, "operator");
  const [{ fingerprint }] = saved.proposed.keys;
  await visit(page, "/org/list?keyword=rekeyed");
  await choose(page, "rekeyed", "修改接口配置");
  const dialog = page.getByRole("dialog", { name: "“机构 rekeyed”的接口配置" });
  assert.equal(await dialog.getByLabel("新密钥").getAttribute("placeholder"), `${fingerprint}（待审核）`);
  await dialog.getByText("留空则保留待审核的新密钥").waitFor();
  assert.equal(await dialog.getByLabel("旧密钥保留").inputValue(), "48");
  await dialog.getByLabel("超时（毫秒）").fill("6000");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "接口配置已提交，待他人审核后生效");
  const { proposed } = await call("GET", `/org/api/${id}`, undefined, "operator");
  assert.deepEqual([proposed.timeoutMs, proposed.keys[0].fingerprint, proposed.keys[0].isProposed, proposed.keys[1].overlapHours], [6000, fingerprint, true, 48]);
});

flow("another address waits until a second person has seen it beside the one in use", { as: "finance" }, async (page) => {
  const { id } = await makeOrg("moves");
  const settings = {
    id, crypto: "none", timeoutMs: 5000, retryMax: 3, fieldMap: { phone: "mobile" }, applyOkExpr: "code == 0", status: "enabled",
    applyUrl: "https://api.example.com/apply",
  };
  const first = await call("PUT", "/org/api", { ...settings, version: 0 }, "operator");
  const used = await call("PUT", "/org/api/audit", { id, version: first.version, approve: true }, "admin");
  await call("PUT", "/org/api", { ...settings, version: used.version, applyUrl: "https://collect.example.com/apply" }, "operator");
  await visit(page, "/org/list?keyword=moves");
  await choose(page, "moves", "驳回接口配置");
  const rejection = page.getByRole("dialog", { name: "驳回“机构 moves”的修改" });
  await rejection.getByRole("button", { name: "驳回修改" }).click();
  await rejection.getByText("必填", { exact: true }).waitFor();
  await rejection.getByRole("button", { name: "取消" }).click();
  await choose(page, "moves", "通过接口配置");
  const dialog = page.getByRole("dialog", { name: "通过“机构 moves”的修改" });
  await dialog.getByText("https://collect.example.com/apply").waitFor();
  await dialog.locator("del", { hasText: "https://api.example.com/apply" }).waitFor();
  // The hint of Ctrl + Enter has the name of the button.
  await dialog.getByText("Ctrl + Enter：通过修改", { exact: true }).waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "通过修改" }).click();
  await toast(page, "已通过，修改已生效");
  assert.equal((await call("GET", `/org/api/${id}`, undefined, "admin")).applyUrl, "https://collect.example.com/apply");
});

flow("credit waits until a second person has seen it beside what holds", { as: "finance" }, async (page) => {
  const { id } = await makeOrg("on-credit", { billMode: "credit", creditLimitCents: 3_000_000 });
  await visit(page, "/org/list?awaits=terms&keyword=on-credit");
  await rowOf(page, "on-credit").getByRole("button", { name: "通过修改" }).click();
  const dialog = page.getByRole("dialog", { name: "通过“机构 on-credit”的修改" });
  await dialog.getByText("30,000.00").waitFor();
  await dialog.locator("del", { hasText: "预付" }).waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "通过修改" }).click();
  await toast(page, "已通过，修改已生效");
  assert.equal((await call("GET", `/org/${id}`, undefined, "admin")).creditLimitCents, 3_000_000);
});

flow("the page of an organisation begins with what is to be decided", { as: "finance" }, async (page) => {
  const { id } = await makeOrg("decided-there", { billMode: "credit", creditLimitCents: 4_000_000 });
  await visit(page, `/org/list/${id}`);
  const requested = page.locator(".ll-record .ll-details > div", { hasText: "授信额度（元）" });
  await requested.getByText("40,000.00").waitFor();
  await axe(page);
  await page.locator(".ll-page-acts").getByRole("button", { name: "通过修改" }).click();
  const dialog = page.getByRole("dialog", { name: "通过“机构 decided-there”的修改" });
  await dialog.getByRole("button", { name: "通过修改" }).click();
  await toast(page, "已通过，修改已生效");
  await requested.waitFor({ state: "detached" });
  for (const tab of ["计划", "接口配置", "账户"]) {
    await page.locator(".ll-tabs").getByRole("link", { name: tab, exact: true }).click();
    await page.getByRole("region", { name: tab, exact: true }).waitFor();
    await axe(page);
  }
});

flow("a test lead shows what went out and what came back", { as: "admin" }, async (page) => {
  const { id } = await makeOrg("tries-it");
  await visit(page, "/org/list?keyword=tries-it");
  await choose(page, "tries-it", "发送测试线索");
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  await toast(page, "请先填写撞库地址或进件地址");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // Browser tests have no server of an organisation: the test provides its answers.
  const trial = { url: "https://api.example.com/x", sealed: false, request: '{ "mobile": "100****0000" }', milliseconds: 1234 };
  const data = [
    { ...trial, call: "match", status: 200, response: '{ "code": "0000" }', verdict: "accepted" },
    { ...trial, call: "apply", sealed: true, status: null, response: "", verdict: "too_late" },
  ];
  await page.route("**/api/org/api/test", (route) => {
    assert.deepEqual(route.request().postDataJSON(), { id });
    return route.fulfill({ json: { code: "0000", desc: "", data } });
  });
  await choose(page, "tries-it", "发送测试线索");
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  const dialog = page.getByRole("dialog", { name: "“机构 tries-it”的测试结果" });
  await dialog.getByRole("region", { name: "撞库 成功" }).getByText("HTTP 状态 200，1,234 毫秒").waitFor();
  const applied = dialog.getByRole("region", { name: "进件 超时" });
  await applied.getByText("没有收到内容").waitFor();
  await applied.getByText("发出的内容（加密前）").waitFor();
  await axe(page);
});

flow("a payee is made, revealed, and stays while it is paid", { as: "admin" }, async (page) => {
  await visit(page, "/org/list");
  await page.getByRole("navigation", { name: "机构列表" }).getByRole("link", { name: "收款主体" }).click();
  await page.getByRole("heading", { level: 1, name: "收款主体" }).waitFor();
  await page.locator(".ll-toolbar").getByRole("button", { name: "新增收款主体" }).click();
  const dialog = page.getByRole("dialog", { name: "新增收款主体" });
  await dialog.getByLabel("主体名称").fill("远山科技有限公司");
  await dialog.getByLabel("税号").fill("91310115MA1DEMO999");
  await dialog.getByLabel("开户行").fill("示例银行");
  await dialog.getByLabel("银行账号").fill("6222 0212 3456 7890");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "已保存，银行账户待他人审核后生效");
  const [made] = (await call("POST", "/org/payee/page", { keyword: "远山" }, "admin")).list;
  await call("PUT", "/org/payee/audit", { id: made.id, version: made.version, approve: true }, "finance");
  await visit(page, "/org/payee?keyword=远山");
  const row = rowOf(page, "远山科技有限公司");
  await row.getByRole("cell", { name: "**** **** 7890" }).waitFor();
  await row.getByRole("link", { name: "远山科技有限公司", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "远山科技有限公司" }).waitFor();
  const main = page.locator("#main");
  await main.getByText("启用：机构可以向它付款。").waitFor();
  await main.getByRole("button", { name: "查看" }).click();
  await main.getByText("6222021234567890").waitFor();
  await axe(page);
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回收款主体" }).click();
  await page.waitForURL("**/org/payee?keyword=*");
  await row.waitFor();

  const [{ id }] = (await call("POST", "/org/payee/page", { keyword: "远山" }, "admin")).list;
  await makeOrg("pays-it", { payeeOrgId: id });
  await choose(page, "远山科技有限公司", "删除");
  await agree(page);
  await toast(page, "有机构使用该收款主体");
});

flow("an organisation's manager sees the own organisation alone", { as: "north.manager" }, async (page) => {
  await visit(page, "/org/list");
  await rowOf(page, "north-star").waitFor();
  assert.equal(await page.locator("tbody tr").count(), 1);
  assert.equal(await page.getByRole("button", { name: "新增机构" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "收款主体" }).count(), 0);
});
