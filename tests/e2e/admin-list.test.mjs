/** Administrators: accounts are created, changed, disabled; their passwords and phones. */
import assert from "node:assert/strict";
import { act, ask, axe, call, documentOf, flow, forgetSignIn, openPage, PASSWORD, signInByForm, toast, until, visit } from "./support.mjs";

const rowOf = (page, username) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name: new RegExp(`^${username}( |$)`) }) });

/** Runs an action of an account's row. */
const choose = (page, username, label) => act(page, rowOf(page, username), label);

/** Creates an account of a platform role and replaces its initial password. */
async function makeAccount(username, roleName = "审计", more = {}) {
  const role = (await call("GET", "/role/options", undefined, "admin")).find(({ label }) => label === roleName);
  const form = { username, realName: `同事 ${username}`, phone: null, email: null, orgId: null, subOrgId: null, roleIds: [role.value], ...more };
  const { id, password } = await call("POST", "/admin", form, "admin");
  await call("PUT", "/admin/password", { old: password, new: PASSWORD }, username, password);
  return id;
}

flow("a new account gets a password that is shown once and signs in with it", { as: "admin" }, async (page) => {
  await visit(page, "/admin/list");
  await page.getByRole("button", { name: "新增管理员" }).click();
  const dialog = page.getByRole("dialog", { name: "新增管理员" });
  await dialog.getByLabel("用户名").fill("Has Blanks");
  await dialog.getByLabel("手机号").fill("12345");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("3 到 32 位小写字母、数字、.、- 或 _").waitFor();
  await dialog.getByRole("alert").getByText("请输入 11 位手机号").waitFor();
  await dialog.getByRole("alert").getByText("请选择").waitFor();

  await dialog.getByLabel("用户名").fill("new.seller");
  await dialog.getByLabel("姓名").fill("新销售");
  await dialog.getByLabel("手机号").fill("13812345678");
  await dialog.getByLabel("所属机构").selectOption({ label: "北辰 North Star" });
  await dialog.getByLabel("所属团队").selectOption({ index: 1 });
  await dialog.getByLabel("机构销售").check();
  await dialog.getByRole("button", { name: "保存" }).click();
  const secrets = page.getByRole("dialog", { name: "“new.seller”的初始密码" });
  await secrets.waitFor();
  const [username, password] = await secrets.locator("code").allTextContents();
  assert.equal(username, "new.seller");
  await secrets.getByRole("button", { name: "我已保存" }).click();
  await secrets.waitFor({ state: "detached" });
  await rowOf(page, "new.seller").getByText("138****5678").waitFor();
  const html = (await documentOf("/admin/list", { as: "admin" })).text;
  assert.ok(!html.includes("13812345678") && !html.includes(password), "neither the phone nor the password is in the page");

  const stranger = await openPage({});
  await visit(stranger.page, "/login");
  await signInByForm(stranger.page, "new.seller", password);
  await stranger.page.getByRole("dialog", { name: "修改密码" }).waitFor();
  assert.deepEqual(stranger.complaints(), []);
  await stranger.context.close();
});

flow("a name that is taken is refused at the form", { as: "admin" }, async (page) => {
  await visit(page, "/admin/list");
  await page.getByRole("button", { name: "新增管理员" }).click();
  const dialog = page.getByRole("dialog", { name: "新增管理员" });
  await dialog.getByLabel("用户名").fill("operator");
  await dialog.getByLabel("姓名").fill("重名");
  await dialog.getByLabel("运营").check();
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText(/已存在|已被使用|已占用/).waitFor();
});

// S6.03: another role is another menu, at once
flow("another role changes what the person sees with the next request", { as: "admin" }, async (page) => {
  await makeAccount("changes.role");
  const theirs = await openPage({ as: "changes.role", allow: [/status of 404/] });
  await visit(theirs.page, "/admin/list");
  await visit(page, "/admin/list?keyword=changes.role");
  await rowOf(page, "changes.role").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑管理员" });
  assert.ok(await dialog.getByLabel("审计").isChecked());
  await dialog.getByLabel("审计").uncheck();
  await dialog.getByLabel("渠道经理").check();
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "管理员已保存");
  await rowOf(page, "changes.role").getByRole("cell", { name: "渠道经理" }).waitFor();

  await theirs.page.goto("/admin/list");
  assert.equal(new URL(theirs.page.url()).pathname, "/login", "a changed role ends the session");
  await visit(theirs.page, "/login");
  await signInByForm(theirs.page, "changes.role");
  await theirs.page.waitForURL("/dashboard/workplace");
  await visit(theirs.page, "/admin/list");
  await theirs.page.getByRole("heading", { name: "抱歉，页面不见了～" }).waitFor();
  assert.deepEqual(theirs.complaints(), []);
  await theirs.context.close();
});

// S8.04
flow("a disabled account is out with its next request and cannot come back", { as: "admin" }, async (page) => {
  await makeAccount("to.disable");
  const theirs = await openPage({ as: "to.disable" });
  await theirs.page.clock.install();
  await visit(theirs.page, "/channel/list");
  await visit(page, "/admin/list?keyword=to.disable");
  await choose(page, "to.disable", "停用");
  await page.getByRole("dialog", { name: /^停用账号/ }).getByRole("button", { name: "停用" }).click();
  await toast(page, "账号状态已更新");
  await rowOf(page, "to.disable").getByText("停用", { exact: true }).waitFor();

  await theirs.page.getByRole("button", { name: "刷新" }).click();
  await toast(theirs.page, "登录过期，重新登录");
  await theirs.page.clock.fastForward(2000);
  await theirs.page.waitForURL(/\/login\?redirect=channelList/);
  forgetSignIn("to.disable");
  const answer = await ask("POST", "/admin/login", { username: "to.disable", password: PASSWORD });
  assert.equal(answer.code, "1002");
  assert.deepEqual(theirs.complaints(), []);
  await theirs.context.close();

  await choose(page, "to.disable", "启用");
  await page.getByRole("dialog", { name: /^启用账号/ }).getByRole("button", { name: "启用" }).click();
  await rowOf(page, "to.disable").getByText("启用", { exact: true }).waitFor();
  await call("POST", "/admin/login", { username: "to.disable", password: PASSWORD });
});

flow("before an account is disabled the dialog says what goes to others", { as: "admin" }, async (page) => {
  // Other tests of this file use the first salespeople.
  const people = (await call("POST", "/crm/salesperson/page", { sort: "held", employed: "yes" }, "north.manager")).list;
  const seller = people.find(({ username, held, status }) => held > 0 && status === "active" && !username.endsWith(".sales1"));
  assert.ok(seller, "a salesperson has open clues");
  await visit(page, `/admin/list?keyword=${seller.username}`);
  await choose(page, seller.username, "停用");
  const dialog = page.getByRole("dialog", { name: /^停用账号/ });
  await dialog.getByText(`同时：${seller.held} 条线索退回公海。`, { exact: true }).waitFor();
  await dialog.getByText("该账号提交的待审批事项保留，由其他人审批。").waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "停用" }).click();
  await toast(page, "账号状态已更新");
  const after = await call("GET", `/crm/salesperson/${seller.id}`, undefined, "north.manager");
  assert.deepEqual([after.accountStatus, after.status, after.held], ["disabled", "away", 0]);

  // A member of the service staff has conversations, and no clues.
  const [service] = (await call("POST", "/admin/page", { keyword: "service" }, "admin")).list.filter(({ username }) => username === "service");
  const { conversations } = await call("GET", `/admin/openWork/${service.id}`, undefined, "admin");
  assert.ok(conversations > 0);
  await visit(page, "/admin/list?keyword=service");
  await choose(page, "service", "停用");
  await dialog.getByText(`同时：${conversations} 个会话重新排队。`, { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "取消" }).click();
  await dialog.waitFor({ state: "detached" });
});

flow("a reset password replaces the old one and must be changed", { as: "admin" }, async (page) => {
  await makeAccount("forgetful");
  await visit(page, "/admin/list?keyword=forgetful");
  await choose(page, "forgetful", "重置密码");
  await page.getByRole("dialog", { name: /^重置/ }).getByRole("button", { name: "重置密码" }).click();
  const secrets = page.getByRole("dialog", { name: "“forgetful”的初始密码" });
  await secrets.locator("code").nth(1).waitFor();
  const password = await secrets.locator("code").nth(1).textContent();
  await secrets.getByRole("button", { name: "我已保存" }).click();
  assert.equal((await ask("POST", "/admin/login", { username: "forgetful", password: PASSWORD })).code, "1002");
  assert.equal((await call("POST", "/admin/login", { username: "forgetful", password })).user.mustChangePwd, true);
});

flow("a locked account shows as locked and is let in again", { as: "admin" }, async (page) => {
  for (let i = 0; i < 5; i++) await ask("POST", "/admin/login", { username: "south.sales1", password: `guess-${i}` });
  await visit(page, "/admin/list?keyword=south.sales1");
  await rowOf(page, "south.sales1").getByText("锁定", { exact: true }).waitFor();
  await choose(page, "south.sales1", "解锁");
  await page.getByRole("dialog", { name: /^解锁账号/ }).getByRole("button", { name: "解锁" }).click();
  await rowOf(page, "south.sales1").getByText("启用", { exact: true }).waitFor();
  await call("POST", "/admin/login", { username: "south.sales1", password: PASSWORD });
});

flow("an account has a page, where seeing a whole phone number is written down", { as: "admin" }, async (page) => {
  const id = await makeAccount("has.phone", "审计", { phone: "13987654321" });
  await visit(page, "/admin/list?keyword=has.phone");
  await rowOf(page, "has.phone").getByRole("link", { name: "has.phone", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "同事 has.phone" }).waitFor();
  const main = page.locator("#main");
  await main.getByText("启用：可以登录。").waitFor();
  await main.getByText("139****4321").waitFor();
  await main.getByRole("button", { name: "查看" }).click();
  await main.getByText("13987654321").waitFor();
  const tabs = page.locator(".ll-tabs");
  await tabs.getByRole("link", { name: "权限" }).click();
  await main.getByRole("heading", { level: 2, name: /^审计/ }).waitFor();
  await axe(page);
  await tabs.getByRole("link", { name: "登录记录" }).click();
  await main.getByRole("table").getByText("成功").first().waitFor();
  await axe(page);
  await tabs.getByRole("link", { name: "操作记录" }).click();
  const latest = main.locator(".ll-timeline > li").first();
  await latest.getByText("查看明文", { exact: true }).waitFor();
  await latest.getByText("系统管理员").waitFor();
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回管理员列表" }).click();
  await page.waitForURL("**/admin/list?keyword=has.phone");
  // Viewers without permission have no button for it.
  const auditor = await openPage({ as: "auditor" });
  await visit(auditor.page, `/admin/list/${id}`);
  await auditor.page.locator("#main").getByText("139****4321").waitFor();
  assert.equal(await auditor.page.getByRole("button", { name: "查看", exact: true }).count(), 0);
  assert.deepEqual(auditor.complaints(), []);
  await auditor.context.close();
});

flow("an edited account keeps its phone when the field is left empty", { as: "admin" }, async (page) => {
  const id = await makeAccount("keeps.phone", "审计", { phone: "13711112222" });
  await visit(page, "/admin/list?keyword=keeps.phone");
  await rowOf(page, "keeps.phone").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑管理员" });
  assert.equal(await dialog.getByLabel("手机号").inputValue(), "");
  await dialog.getByLabel("邮箱").fill("keeps@example.com");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "管理员已保存");
  assert.equal((await call("GET", `/admin/reveal/${id}`, undefined, "admin")).phone, "13711112222");
  assert.equal((await call("GET", `/admin/${id}`, undefined, "admin")).email, "keeps@example.com");
});

flow("an account is deleted; the built-in one and one's own are not to be touched", { as: "admin" }, async (page) => {
  await makeAccount("to.delete");
  await visit(page, "/admin/list?keyword=to.delete");
  await choose(page, "to.delete", "删除");
  await page.getByRole("dialog", { name: /^删除账号/ }).getByRole("button", { name: "删除" }).click();
  await toast(page, "账号已删除");
  await page.getByText("没有符合条件的记录").waitFor();
  assert.equal((await ask("POST", "/admin/login", { username: "to.delete", password: PASSWORD })).code, "1002");
  await visit(page, "/admin/list?keyword=admin");
  await rowOf(page, "admin").getByRole("link").waitFor();
  assert.equal(await rowOf(page, "admin").getByRole("button").count(), 0);
});

flow("an organisation's manager sees and makes only the organisation's people", { as: "north.manager" }, async (page) => {
  await visit(page, "/admin/list");
  const names = await page.locator("tbody th").allTextContents();
  assert.ok(names.includes("north.sales1") && names.every((name) => !/^(admin|operator|south)/.test(name)), names.join());
  await page.getByRole("button", { name: "新增管理员" }).click();
  const dialog = page.getByRole("dialog", { name: "新增管理员" });
  await dialog.getByRole("checkbox").first().waitFor();
  assert.equal(await dialog.getByRole("checkbox").count(), 3, "only roles within the manager's own rights");
  assert.deepEqual(await dialog.getByLabel("所属机构").locator("option").allTextContents(), ["北辰 North Star"]);
  await dialog.getByLabel("用户名").fill("north.sales9");
  await dialog.getByLabel("姓名").fill("北辰新人");
  await dialog.getByLabel("机构销售").check();
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByRole("button", { name: "我已保存" }).click();
  await rowOf(page, "north.sales9").waitFor();
  const { list } = await call("POST", "/admin/page", { keyword: "north.sales9" }, "admin");
  assert.match(list[0].orgName, /北辰/);
});

flow("choosing an organisation brings its teams, another one drops the choice", { as: "admin" }, async (page) => {
  await visit(page, "/admin/list?keyword=north.sales1");
  await rowOf(page, "north.sales1").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑管理员" });
  const team = dialog.getByLabel("所属团队");
  await until(async () => (await team.locator("option").count()) > 1, "the teams");
  assert.notEqual(await team.inputValue(), "");
  await dialog.getByLabel("所属机构").selectOption({ label: "南十字 Southern Cross" });
  await until(async () => (await team.inputValue()) === "", "the choice dropped");
  await dialog.getByLabel("所属机构").selectOption("");
  assert.ok(await team.isDisabled());
});
