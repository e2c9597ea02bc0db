/** Roles with their permissions and holders; the active role; sessions; the menu. */
import assert from "node:assert/strict";
import { act, axe, call, documentOf, flow, forgetSignIn, openPage, PASSWORD, toast, until, visit } from "./support.mjs";

const rowOf = (page, code) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name: new RegExp(`^${code}( |$)`) }) });

/** Runs an action of a role's row. */
const choose = (page, code, label) => act(page, rowOf(page, code), label);

/** The ids of some nodes of the menu, by name. */
async function nodes(...names) {
  const flat = (tree) => tree.flatMap((node) => [node, ...flat(node.children ?? [])]);
  const all = flat(await call("GET", "/menu/tree", undefined, "admin"));
  return names.map((name) => all.find((node) => node.name === name).id);
}

/** Creates a platform role with these points. */
async function makeRole(code, points) {
  const menuIds = await nodes(...points);
  const form = { code, name: `角色 ${code}`, nameEn: `Role ${code}`, dataScope: "all", defaultRoute: null, sort: 60, menuIds };
  return call("POST", "/role", form, "admin");
}

/** Creates an account of a role and replaces its initial password. */
async function makeAccount(username, roleId) {
  const form = { username, realName: `同事 ${username}`, phone: null, email: null, orgId: null, subOrgId: null, roleIds: [roleId] };
  const { id, password } = await call("POST", "/admin", form, "admin");
  await call("PUT", "/admin/password", { old: password, new: PASSWORD }, username, password);
  forgetSignIn(username);
  return id;
}

// S1.10 S2.05 S6.03
flow("a role is made by ticking the tree, by keyboard too, and gives just that", { as: "admin" }, async (page) => {
  await visit(page, "/admin/role-list");
  await page.getByRole("button", { name: "新增角色" }).click();
  const dialog = page.getByRole("dialog", { name: "新增角色" });
  await dialog.getByLabel("角色编码").fill("1 wrong");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("以小写字母开头，2 到 32 位小写字母、数字或 _").waitFor();
  await dialog.getByLabel("角色编码").fill("assistant");
  await dialog.getByLabel("中文名称").fill("渠道助理");
  await dialog.getByLabel("英文名称").fill("Channel assistant");
  await dialog.getByLabel("数据范围").selectOption("all");

  const item = (name, within = dialog) => within.getByRole("treeitem", { name, exact: true });
  const below = (name) => dialog.locator("li").filter({ has: page.getByRole("treeitem", { name, exact: true }) }).last();
  const screen = item("渠道列表");
  await item("渠道管理").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  assert.equal(await item("查询", below("渠道列表")).getAttribute("aria-checked"), "true");
  assert.equal(await screen.getAttribute("aria-checked"), "mixed");
  assert.equal(await item("渠道管理").getAttribute("aria-checked"), "mixed");
  assert.equal(await item("系统管理").getAttribute("aria-checked"), "false");
  await dialog.getByText(/^已选 1 \//).waitFor();
  // The filter brings leaves into sight wherever they are.
  await dialog.getByRole("searchbox", { name: "筛选" }).fill("详情");
  await item("详情", below("渠道列表")).click();
  assert.equal(await item("新增", below("渠道列表")).count(), 0);
  await dialog.getByRole("searchbox", { name: "筛选" }).fill("");
  await dialog.getByText(/^已选 2 \//).waitFor();
  // Only pages that the role opens can be its first page.
  const first = dialog.getByLabel("默认页面");
  await until(async () => (await first.locator("option").count()) === 2, "the choice of pages");
  await first.selectOption("channelList");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "角色已新增");
  await rowOf(page, "assistant").getByText("渠道列表").waitFor();

  const role = (await call("POST", "/role/page", { keyword: "assistant" }, "admin")).list[0];
  await makeAccount("role.assistant", role.id);
  const html = (await documentOf("/channel/list", { as: "role.assistant" })).text;
  assert.ok(!html.includes("channel/list/create") && !html.includes("新增渠道") && !html.includes("/admin/list"));
  const theirs = await openPage({ as: "role.assistant" });
  await visit(theirs.page, "/");
  assert.equal(new URL(theirs.page.url()).pathname, "/channel/list");
  await theirs.page.locator("tbody tr").first().getByRole("link").first().waitFor();
  assert.deepEqual(theirs.complaints(), []);
  await theirs.context.close();
});

flow("a role is copied, granted more, and withdrawn from; the history tells what", { as: "admin" }, async (page) => {
  await visit(page, "/admin/role-list?keyword=finance");
  await choose(page, "finance", "复制");
  const copy = page.getByRole("dialog", { name: "复制角色“财务”" });
  await copy.getByText(/^已选 [1-9]/).waitFor();
  await copy.getByLabel("角色编码").fill("finance_two");
  await copy.getByLabel("中文名称").fill("财务二组");
  await copy.getByLabel("英文名称").fill("Finance two");
  await copy.getByRole("button", { name: "保存" }).click();
  await toast(page, "角色已新增");
  await rowOf(page, "finance_two").waitFor();

  await choose(page, "finance_two", "授权");
  const grant = page.getByRole("dialog", { name: "为“财务二组”授权" });
  const screen = grant.locator("li").filter({ has: page.getByRole("treeitem", { name: "渠道列表", exact: true }) }).last();
  await screen.getByRole("treeitem", { name: "导出", exact: true }).click();
  await screen.getByRole("treeitem", { name: "详情", exact: true }).click();
  await grant.getByRole("button", { name: "保存" }).click();
  await toast(page, "角色已保存");
  await rowOf(page, "finance_two").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "财务二组" }).waitFor();
  const main = page.locator("#main");
  await main.getByText("启用：0 个账号拥有该角色。").waitFor();
  await main.locator(".ll-details").getByText("渠道列表", { exact: true }).waitFor();
  await axe(page);
  await page.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  const latest = main.locator(".ll-timeline > li").first();
  await latest.getByText("渠道列表 / 导出").waitFor();
  await latest.getByText("渠道列表 / 详情").waitFor();
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回角色列表" }).click();
  await page.waitForURL("**/admin/role-list?keyword=finance");

  // A role without holders can be deleted; for one with holders, deletion is not offered.
  await choose(page, "finance_two", "删除");
  await page.getByRole("dialog", { name: /^删除角色/ }).getByRole("button", { name: "删除" }).click();
  await toast(page, "角色已删除");
  await rowOf(page, "finance").getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "复制" }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: "删除" }).count(), 0);
});

// S6.03
flow("who manages roles gives what he holds and touches nothing wider", { as: "admin" }, async () => {
  const points = ["list", "view", "create", "update", "grant"].map((action) => `admin/role-list/${action}`);
  const keeper = await makeRole("role_keeper", [...points, "channel/list/list"]);
  await makeAccount("role.keeper", keeper.id);
  await makeRole("narrow_role", []);
  const theirs = await openPage({ as: "role.keeper" });
  await visit(theirs.page, "/admin/role-list");
  // The operator's role has more permissions, and the viewer's own role is theirs: neither can be edited.
  for (const code of ["operator", "role_keeper", "admin"]) {
    assert.equal(await rowOf(theirs.page, code).getByRole("button", { name: "编辑" }).count(), 0, code);
  }
  await rowOf(theirs.page, "narrow_role").getByRole("button", { name: "编辑" }).click();
  const dialog = theirs.page.getByRole("dialog", { name: "编辑角色" });
  await dialog.getByRole("tree").waitFor();
  assert.deepEqual(
    await dialog.getByRole("treeitem").evaluateAll((items) => items.map((item) => item.textContent)),
    ["渠道管理", "渠道列表", "系统管理", "角色列表"],
  );
  await dialog.getByRole("treeitem", { name: "渠道列表", exact: true }).click();
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(theirs.page, "角色已保存");
  assert.deepEqual(theirs.complaints(), []);
  await theirs.context.close();

  const [create] = await nodes("channel/list/create");
  const narrow = (await call("POST", "/role/page", { keyword: "narrow_role" }, "admin")).list[0];
  await assert.rejects(call("PUT", "/role/menu", { id: narrow.id, version: narrow.version, menuIds: [create] }, "role.keeper"), /1001.*不能授予您自己没有的权限/);
});

// S6.06 S2.29
flow("switching the role brings its menu and its first page, and the tabs begin anew", { as: "operator" }, async (page) => {
  await visit(page, "/admin/list");
  assert.equal(await page.getByRole("link", { name: "操作日志" }).count(), 0);
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "切换角色" }).click();
  const dialog = page.getByRole("dialog", { name: "切换角色" });
  assert.ok(await dialog.getByLabel("运营").isChecked());
  assert.ok(await dialog.getByRole("button", { name: "切换", exact: true }).isDisabled());
  await dialog.getByLabel("审计").check();
  await dialog.getByRole("button", { name: "切换", exact: true }).click();
  await page.waitForURL("/dashboard/workplace");
  await page.locator(".app-user-button").getByText("审计").waitFor();
  await page.getByText("系统管理", { exact: true }).click();
  await page.locator(".app-menu").getByRole("link", { name: "操作日志" }).waitFor();
  await visit(page, "/channel/list");
  assert.equal(await page.getByRole("button", { name: "新增渠道" }).count(), 0);
  assert.equal(JSON.parse(await page.evaluate(() => localStorage.getItem("user_info"))).user.role, "auditor");
  const me = await call("GET", "/admin/me", undefined, "operator");
  assert.equal(me.role, "auditor", "this session works in it, on the server too");
  await call("PUT", "/admin/role", { roleId: me.roles.find(({ code }) => code === "operator").id }, "operator");
});

flow("an account with one role is told so", { as: "finance", width: 360, height: 740 }, async (page) => {
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "打开菜单" }).click();
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "切换角色" }).click();
  const dialog = page.getByRole("dialog", { name: "切换角色" });
  await dialog.getByText("您的账号只有一个角色").waitFor();
  // The menu's drawer has closed for the dialog.
  await dialog.getByRole("button", { name: "取消" }).click();
  await dialog.waitFor({ state: "detached" });
});

// S8.04
flow("somebody is signed out by force, and only in that browser", { as: "admin" }, async (page) => {
  const role = await makeRole("twice_signed_in", ["channel/list/list"]);
  await makeAccount("signed.in.twice", role.id);
  const one = await openPage({ as: "signed.in.twice" });
  forgetSignIn("signed.in.twice");
  const other = await openPage({ as: "signed.in.twice" });
  await one.page.clock.install();
  await visit(one.page, "/channel/list");
  await visit(other.page, "/channel/list");

  await visit(page, "/admin/session?keyword=signed.in&sort=createdAt&order=asc");
  const rows = page.locator("tbody tr");
  await rows.nth(1).waitFor();
  assert.equal(await rows.count(), 3, "one of the password's change, and two more");
  const mine = (await call("GET", "/admin/me/sessions", undefined, "signed.in.twice")).length;
  assert.equal(mine, 3);
  await rows.nth(1).getByRole("button", { name: "强制下线" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "强制下线" }).click();
  await toast(page, "已强制下线");
  await until(async () => (await rows.count()) === 2, "the session's row gone");

  await one.page.getByRole("button", { name: "刷新" }).click();
  await toast(one.page, "登录过期，重新登录");
  await one.page.clock.fastForward(2000);
  await one.page.waitForURL(/\/login\?redirect=channelList/);
  await other.page.getByRole("button", { name: "刷新" }).click();
  await other.page.getByRole("button", { name: "刷新", disabled: false }).waitFor();
  assert.equal(new URL(other.page.url()).pathname, "/channel/list");
  for (const { complaints, context } of [one, other]) {
    assert.deepEqual(complaints(), []);
    await context.close();
  }
  // The viewer's own session is marked and cannot be ended here.
  await visit(page, "/admin/session?keyword=admin");
  const own = rows.filter({ hasText: "当前会话" });
  await own.waitFor();
  assert.equal(await own.getByRole("button").count(), 0);
});

flow("a link is put into the menu, a page is taken out of use and brought back", { as: "admin" }, async (page) => {
  await visit(page, "/admin/menu");
  await page.getByRole("button", { name: "新增外部链接" }).click();
  const dialog = page.getByRole("dialog", { name: "新增外部链接" });
  await dialog.getByLabel("中文名称").fill("使用手册");
  await dialog.getByLabel("英文名称").fill("Handbook");
  await dialog.getByLabel("链接地址").fill("https://handbook.example/");
  await dialog.locator("label[title=info]").click();
  assert.ok(await dialog.getByRole("radio", { name: "info" }).isChecked());
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "菜单已保存");
  const theirs = await openPage({ as: "service" });
  await visit(theirs.page, "/home");
  assert.equal(await theirs.page.getByRole("link", { name: /使用手册/ }).getAttribute("href"), "https://handbook.example/");

  const row = (name) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name: new RegExp(`${name}$`) }) });
  await row("登录日志").getByRole("button", { name: "停用" }).click();
  await page.getByRole("dialog", { name: "停用“登录日志”？" }).getByRole("button", { name: "停用" }).click();
  await row("登录日志").getByRole("button", { name: "启用" }).waitFor();
  assert.equal((await documentOf("/admin/login-log", { as: "admin" })).status, 404);
  await row("登录日志").getByRole("button", { name: "启用" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "启用" }).click();
  await row("登录日志").getByRole("button", { name: "停用" }).waitFor();
  assert.equal((await documentOf("/admin/login-log", { as: "admin" })).status, 200);
  assert.equal(await row("菜单管理").getByRole("button", { name: "停用" }).count(), 0, "the editor itself stays");

  // Permissions unfold below their page.
  await page.getByRole("button", { name: "展开登录日志的权限点" }).click();
  await page.getByRole("cell", { name: "admin/login-log/export" }).waitFor();
  await row("使用手册").getByRole("button", { name: "删除" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await until(async () => (await row("使用手册").count()) === 0, "the link gone");
  await visit(theirs.page, "/home");
  assert.equal(await theirs.page.getByRole("link", { name: /使用手册/ }).count(), 0);
  assert.deepEqual(theirs.complaints(), []);
  await theirs.context.close();
});
