/** Signing in and out: the form and its messages, and what visitors without a login or with a limited role see. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ask, axe, call, documentOf, flow, forgetSignIn, hydrated, openPage, PASSWORD, server, signInByForm, toast, until, visit } from "./support.mjs";

const stored = (page, key) => page.evaluate((name) => localStorage.getItem(name), key);

// S1.01 S2.19 S2.20 S3.01 S4.01 S4.02 S8.12 S9.01
flow("a stranger signs in and gets the page that was asked for, with its query", {}, async (page) => {
  await visit(page, "/channel/list?keyword=ads&type=ads");
  assert.equal(page.url(), `${server.origin}/login?redirect=channelList&keyword=ads&type=ads`);
  await signInByForm(page, "operator");
  await page.waitForURL("/channel/list?keyword=ads&type=ads");
  await toast(page, "欢迎使用");
  await page.getByRole("heading", { name: "渠道列表" }).waitFor();

  const token = await stored(page, "token");
  const info = JSON.parse(await stored(page, "user_info"));
  assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.equal(info.token, token);
  assert.equal(info.user.username, "operator");
  // The greeting is for the first page only.
  await page.reload();
  await hydrated(page);
  assert.equal(await page.locator(".ll-toast").count(), 0);
});

flow("a browser without earlier visits loads the scripts of the sign-in page when it is used", {}, async (page) => {
  const scripts = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto("/login");
  await page.waitForLoadState("networkidle");
  assert.deepEqual(scripts, []);
  await page.getByLabel("用户名").focus();
  await hydrated(page);
  await page.getByRole("button", { name: "忘记密码" }).click();
  await page.getByRole("heading", { name: "找回密码" }).waitFor();

  // Why a session has ended, and a remembered name, are in the browser's storage.
  await page.evaluate(() => localStorage.setItem("login_user", "operator"));
  await page.reload();
  await until(() => page.getByLabel("用户名").inputValue(), "the remembered name");
});

flow("what is pressed first is done, although the scripts of the sign-in page load only then", {}, async (page) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "忘记密码" }).click();
  await page.getByRole("heading", { name: "找回密码" }).waitFor();
});

// S1.13 S8.12
flow("the English form greets in English", { locale: "en-US" }, async (page) => {
  await visit(page, "/login");
  await page.getByLabel("Username").fill("operator");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await page.waitForURL("/dashboard/workplace");
  await toast(page, "welcome to use");
});

// S2.01 S2.02 S2.03 S2.35
flow("the start leads strangers to the login page and staff to their first page", {}, async (page) => {
  await visit(page, "/");
  assert.equal(new URL(page.url()).pathname, "/login");
  assert.equal(await page.title(), "Leadlane");
  await visit(page, "/home");
  assert.equal(new URL(page.url()).pathname, "/home");
  for (const [as, first] of [["operator", "/dashboard/workplace"], ["north.manager", "/crm/center"], ["service", "/dashboard/workplace"]]) {
    const { status, headers } = await documentOf("/", { as });
    assert.deepEqual([status, headers.get("location")], [302, first]);
  }
});

// S2.19: only addresses of the product are accepted as the page after the login
flow("a sign-in never leads to a foreign address", {}, async (page) => {
  await visit(page, "/login?redirect=https://evil.example/&x=//evil.example");
  await signInByForm(page, "operator");
  await page.waitForURL("/dashboard/workplace");
});

// S2.23 S5.01
flow("empty fields say so and nothing is sent", {}, async (page) => {
  let calls = 0;
  page.on("request", (request) => (calls += request.url().includes("/api/") ? 1 : 0));
  await visit(page, "/login");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByText("用户名不能为空").waitFor();
  await page.getByText("密码不能为空").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.name), "username");
  await page.getByLabel("用户名").fill("operator");
  await page.getByText("用户名不能为空").waitFor({ state: "detached" });
  assert.equal(calls, 0);
});

// S5.01
flow("the English messages are the specification's", { locale: "en-US" }, async (page) => {
  await visit(page, "/login");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("Username cannot be empty", { exact: true }).waitFor();
  await page.getByText("Password cannot be empty", { exact: true }).waitFor();
});

// S4.02 S5.02 S8.12
flow("a wrong password says so and clears the token", {}, async (page) => {
  await visit(page, "/login");
  await page.evaluate(() => localStorage.setItem("token", "left from before"));
  await signInByForm(page, "operator", "not-the-password-1");
  await page.getByRole("alert").getByText("账号或者密码错误").waitFor();
  await toast(page, "登录出错，请刷新重试");
  assert.equal(await stored(page, "token"), null);
  assert.equal(new URL(page.url()).pathname, "/login");
});

// S8.12
flow("the login failure in English is the specification's", { locale: "en-US" }, async (page) => {
  await visit(page, "/login");
  await page.getByLabel("Username").fill("operator");
  await page.getByLabel("Password", { exact: true }).fill("not-the-password-1");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await toast(page, "Login error, refresh and try again");
});

flow("five wrong passwords close the door, the right one included", {}, async (page) => {
  for (let i = 0; i < 5; i++) await ask("POST", "/admin/login", { username: "south.sales1", password: `guess-${i}` });
  await visit(page, "/login");
  await signInByForm(page, "south.sales1");
  await page.getByRole("alert").getByText(/次数过多|过于频繁|稍后/).waitFor();
  assert.equal(await stored(page, "token"), null);
});

// S2.23
flow("the remembered user name is there next time, until it is not wanted", {}, async (page) => {
  await visit(page, "/login");
  await page.getByLabel("记住密码").check();
  await signInByForm(page, "operator");
  await page.waitForURL("/dashboard/workplace");
  await visit(page, "/login");
  await until(async () => (await page.getByLabel("用户名").inputValue()) === "operator", "the name");
  assert.ok(await page.getByLabel("记住密码").isChecked());
  assert.equal(await page.getByLabel("密码", { exact: true }).inputValue(), "", "no password is kept by us");
  await page.getByLabel("记住密码").uncheck();
  await signInByForm(page, "operator");
  await page.waitForURL("/dashboard/workplace");
  await visit(page, "/login");
  assert.equal(await page.getByLabel("用户名").inputValue(), "");
});

// S2.23 S2.24
flow("the login page shows the password on request, how to register and three slogans", {}, async (page) => {
  await visit(page, "/login");
  await page.getByLabel("密码", { exact: true }).fill("abc");
  await page.getByRole("button", { name: "显示密码" }).click();
  assert.equal(await page.getByLabel("密码", { exact: true }).getAttribute("type"), "text");
  await page.getByRole("button", { name: "注册账号" }).click();
  await page.getByRole("dialog", { name: "注册账号" }).waitFor();
  await page.getByRole("button", { name: "知道了" }).click();
  await page.getByRole("dialog", { name: "注册账号" }).waitFor({ state: "hidden" });

  const slogans = await page.locator(".app-slogans strong").allTextContents();
  assert.deepEqual(slogans, ["每条线索，来路清楚，去向分明", "每一分钱，都对得上账", "每次触达，都有据可依"]);
  // The slogans take turns: at each third of the round another one is in its place.
  const turns = await page.evaluate(() => {
    const slogans = [...document.querySelectorAll(".app-slogans li")];
    const place = slogans[0].parentElement.getBoundingClientRect();
    const animations = slogans.map((slogan) => slogan.getAnimations()[0]);
    const round = animations[0].effect.getComputedTiming().duration;
    for (const animation of animations) animation.pause();
    return [0.1, 0.45, 0.8].map((part) => {
      for (const animation of animations) animation.currentTime = round * part;
      return slogans.findIndex((slogan) => Math.abs(slogan.getBoundingClientRect().top - place.top) < 1);
    });
  });
  assert.deepEqual(turns, [0, 1, 2]);
  const rounds = await page.locator(".app-slogans li").first().evaluate((slogan) => slogan.getAnimations()[0].effect.getTiming().iterations);
  assert.equal(rounds, Infinity);
});

// S2.23 S3.07 S7.03
flow("a forgotten password is replaced by a code sent to the phone", {}, async (page) => {
  const { list } = await call("POST", "/admin/page", { keyword: "north.sales2" }, "admin");
  const { phone } = await call("GET", `/admin/reveal/${list[0].id}`, undefined, "admin");
  await visit(page, "/login");
  await page.getByRole("button", { name: "忘记密码" }).click();
  await page.getByRole("heading", { name: "找回密码" }).waitFor();

  await page.getByLabel("手机号").fill("12345");
  await page.getByRole("button", { name: "获取验证码" }).click();
  await page.getByText("请输入 11 位手机号").waitFor();
  await page.getByLabel("手机号").fill(phone);
  await page.getByRole("button", { name: "获取验证码" }).click();
  await toast(page, "验证码已发送");
  assert.ok(await page.getByRole("button", { name: /秒后重发/ }).isDisabled());

  await page.getByLabel("验证码", { exact: true }).fill("000000");
  await page.getByLabel("新密码").fill("weak");
  await page.getByRole("button", { name: "重置密码" }).click();
  await page.getByRole("alert").getByText("密码至少 8 位").waitFor();

  const code = await until(async () => {
    const log = await readFile(path.join(server.data, "sms.log"), "utf8").catch(() => "");
    return log.split("\n").findLast((line) => line.includes(phone))?.match(/验证码 (\d{6})/)?.[1];
  }, "the code by SMS");
  const wrong = code === "000000" ? "000001" : "000000";
  await page.getByLabel("验证码", { exact: true }).fill(wrong);
  await page.getByLabel("新密码").fill("a-new-secret-7");
  await page.getByRole("button", { name: "重置密码" }).click();
  await page.locator(".ll-toast-error").waitFor();
  await page.getByLabel("验证码", { exact: true }).fill(code);
  await page.getByRole("button", { name: "重置密码" }).click();
  await toast(page, "密码已重置");
  await signInByForm(page, "north.sales2", "a-new-secret-7");
  await page.waitForURL("/crm/center");
  assert.equal((await ask("POST", "/admin/login", { username: "north.sales2", password: PASSWORD })).code, "1002");
});

// S4.03
flow("logging out forgets everything and closes the pages", { as: "finance" }, async (page, { context }) => {
  forgetSignIn("finance");
  await visit(page, "/channel/list");
  await page.evaluate(() => void (window.marked = true));
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "退出登录" }).click();
  await page.waitForURL("/login");
  await hydrated(page);
  assert.equal(await page.evaluate(() => window.marked), undefined, "the document with its route listeners is gone");
  assert.equal(JSON.parse(await page.locator("#props").textContent()).roleData, undefined);
  assert.deepEqual(await page.evaluate(() => [localStorage.getItem("token"), localStorage.getItem("user_info"), sessionStorage.getItem("tabs")]), [null, null, null]);
  assert.ok(!(await context.cookies()).some(({ name, value }) => name === "token" && value !== ""));
  await page.goto("/channel/list");
  assert.equal(new URL(page.url()).pathname, "/login");
});

// S8.04 S9.04
flow("an expired session says so and, two seconds later, asks to sign in", { as: "auditor" }, async (page) => {
  await page.clock.install();
  await visit(page, "/channel/list?keyword=ads");
  await call("POST", "/admin/logout", undefined, "auditor");
  forgetSignIn("auditor");
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await page.getByRole("button", { name: "刷新" }).click();
  await toast(page, "登录过期，重新登录");
  await page.clock.runFor(1900);
  assert.equal(new URL(page.url()).pathname, "/channel/list");
  await page.clock.runFor(200);
  await page.waitForURL("/login?redirect=channelList&keyword=ads");
  await page.getByRole("main").getByText("登录过期，重新登录").waitFor();
  assert.equal(await stored(page, "token"), null);
});

/** Opens the form of a new channel and fills in its code and name. */
async function typeChannel(page, code) {
  await page.getByRole("button", { name: "新增渠道" }).click();
  const dialog = page.getByRole("dialog", { name: "新增渠道" });
  await dialog.getByLabel("渠道编码").fill(code);
  await dialog.getByLabel("渠道名称").fill(`渠道 ${code}`);
  return dialog;
}

/** Ends the session of an account on the server. */
async function endSession(account) {
  await call("POST", "/admin/logout", undefined, account);
  forgetSignIn(account);
}

const hasDraft = (page) => page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("draft ")));

flow("a session that ends over a typed form is renewed over it, and the form is saved", { as: "operator" }, async (page, { context }) => {
  await visit(page, "/channel/list");
  const before = await stored(page, "token");
  const dialog = await typeChannel(page, "signed-in-again");
  await endSession("operator");
  await dialog.getByRole("button", { name: "保存" }).click();
  const again = page.getByRole("dialog", { name: "重新登录" });
  await again.getByText("登录已过期。").waitFor();
  await axe(page);
  const account = again.getByLabel("用户名");
  assert.deepEqual([await account.inputValue(), await account.getAttribute("readonly")], ["operator", ""]);
  await page.waitForFunction(() => document.activeElement.name === "password");
  await page.keyboard.press("Enter");
  await again.getByText("密码不能为空").waitFor();
  await again.getByLabel("密码").fill("not-the-password-1");
  await page.keyboard.press("Enter");
  await again.getByRole("alert").getByText("账号或者密码错误").waitFor();
  assert.equal(await stored(page, "token"), before, "other tabs are not signed out by a wrong password");
  await again.getByLabel("密码").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /的密钥$/ }).waitFor();
  assert.equal(await hasDraft(page), false);
  const token = await stored(page, "token");
  assert.notEqual(token, before);
  assert.equal((await context.cookies()).find(({ name }) => name === "token").value, token);
});

flow("another tab that signs in again closes the dialog, and the form is saved", { as: "operator" }, async (page, { context }) => {
  await visit(page, "/channel/list");
  const dialog = await typeChannel(page, "signed-in-there");
  await endSession("operator");
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByRole("dialog", { name: "重新登录" }).waitFor();
  const other = await context.newPage();
  await visit(other, "/login");
  await signInByForm(other, "operator");
  await other.waitForURL("/dashboard/workplace");
  await page.getByRole("dialog", { name: /的密钥$/ }).waitFor();
});

flow("what was typed is offered after a new sign-in and after a reload", { as: "operator" }, async (page) => {
  // The browser asks before a reload.
  page.on("dialog", (question) => question.accept());
  await visit(page, "/channel/list?keyword=ads");
  let dialog = await typeChannel(page, "kept-channel");
  await until(() => hasDraft(page), "the draft");
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes("kept-channel"), "it is encrypted");
  await endSession("operator");
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByRole("dialog", { name: "重新登录" }).getByRole("button", { name: "取消" }).click();
  await page.waitForURL("/login?redirect=channelList&keyword=ads");
  await page.getByRole("main").getByText("登录过期，重新登录").waitFor();
  await signInByForm(page, "operator");
  await page.waitForURL("/channel/list?keyword=ads");
  await hydrated(page);

  const offered = async () => {
    await page.getByRole("button", { name: "新增渠道" }).click();
    dialog = page.getByRole("dialog", { name: "新增渠道" });
    await dialog.getByRole("status").getByText(/^有 \d\d:\d\d 未保存的内容/).waitFor();
  };
  await offered();
  await axe(page);
  await dialog.getByRole("button", { name: "恢复" }).click();
  assert.deepEqual([await dialog.getByLabel("渠道编码").inputValue(), await dialog.getByLabel("渠道名称").inputValue()], ["kept-channel", "渠道 kept-channel"]);
  await page.reload();
  await hydrated(page);
  await offered();
  await dialog.getByRole("button", { name: "丢弃" }).click();
  assert.equal(await hasDraft(page), false);
  await dialog.getByRole("button", { name: "取消" }).click();
  await dialog.waitFor({ state: "detached" });
});

flow("who is signed out elsewhere and loads the page anew is told why", { as: "auditor" }, async (page) => {
  await visit(page, "/channel/list");
  await call("POST", "/admin/logout", undefined, "auditor");
  forgetSignIn("auditor");
  await page.reload();
  await page.waitForURL("/login?redirect=channelList");
  await page.getByText("登录已失效，请重新登录").waitFor();
  await axe(page);
});

// S2.04 S2.21 S2.27 S8.08
flow("an unknown page and one that is not in the menu are both not found", { as: "service", allow: [/status of 404/] }, async (page) => {
  for (const address of ["/nowhere/at-all", "/channel/list", "/admin/list"]) {
    const response = await visit(page, address);
    assert.equal(response.status(), 404);
    await page.getByRole("heading", { name: "抱歉，页面不见了～" }).waitFor();
    await page.getByRole("button", { name: "重试" }).waitFor();
    const html = await response.text();
    assert.ok(!html.includes("渠道编码") && !html.includes("管理员列表"), "nothing of the hidden page is in the HTML");
  }
  await page.getByRole("link", { name: "返回" }).click();
  await page.waitForURL("/channel/list");
});

// S8.08
flow("not found in English is the specification's", { as: "service", locale: "en-US", allow: [/status of 404/] }, async (page) => {
  await visit(page, "/nowhere");
  await page.getByRole("heading", { name: "Whoops, this page is gone." }).waitFor();
});

// S2.20 S2.21 S6.03 S6.05
flow("who only reads has no button in the HTML that writes", { as: "auditor" }, async (page) => {
  const channels = (await documentOf("/channel/list", { as: "auditor" })).text;
  assert.ok(channels.includes("导出") && channels.includes('href="/channel/list/'));
  for (const word of ["新增渠道", "编辑", "更换密钥", "删除", "更多</button>"]) assert.ok(!channels.includes(word), word);
  const admins = (await documentOf("/admin/list", { as: "auditor" })).text;
  for (const word of ["新增管理员", "编辑", "重置密码", "删除"]) assert.ok(!admins.includes(word), word);
  // A role without a page has no entry for it either.
  const manager = await documentOf("/admin/list", { as: "north.manager" });
  assert.ok(!manager.text.includes("/channel/list"));
  await visit(page, "/channel/list");
  assert.equal(await page.getByRole("checkbox").count(), 0, "nothing to pick where nothing is done with it");
});

// The first sign-in with an initial password
flow("a new account must choose its own password first", {}, async (page) => {
  const roles = await call("GET", "/role/options", undefined, "admin");
  const role = roles.find(({ label }) => label === "审计");
  const form = { username: "fresh.auditor", realName: "新同事", phone: null, email: null, orgId: null, subOrgId: null, roleIds: [role.value] };
  const { password } = await call("POST", "/admin", form, "admin");
  await visit(page, "/login");
  await signInByForm(page, "fresh.auditor", password);
  const dialog = page.getByRole("dialog", { name: "修改密码" });
  await dialog.getByText("您的密码是初始密码或已过期，请先设置新密码。").waitFor();
  await page.keyboard.press("Escape");
  assert.ok(await dialog.isVisible(), "there is no way round");

  await dialog.getByLabel("当前密码").fill(password);
  await dialog.getByLabel("新密码", { exact: true }).fill("short");
  await dialog.getByLabel("再次输入新密码").fill("other");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("两次输入的密码不一致").waitFor();
  await dialog.getByLabel("新密码", { exact: true }).fill("mine-alone-99");
  await dialog.getByLabel("再次输入新密码").fill("mine-alone-99");
  await dialog.getByRole("button", { name: "保存" }).click();
  // They stay signed in, on the page that was asked for.
  await toast(page, "密码已修改，其他设备已退出登录");
  assert.equal(new URL(page.url()).pathname, "/dashboard/workplace");
  await page.getByRole("heading", { name: /好，/ }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

// S4.01: the page's cookie and the browser's token are one sign-in
flow("signing in elsewhere leaves this sign-in alone", { as: "operator" }, async (page) => {
  const elsewhere = await openPage({});
  await visit(elsewhere.page, "/login");
  await signInByForm(elsewhere.page, "operator");
  await elsewhere.page.waitForURL("/dashboard/workplace");
  assert.deepEqual(elsewhere.complaints(), []);
  await elsewhere.context.close();
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "刷新" }).click();
  assert.equal((await ask("GET", "/admin/me", undefined, "operator")).data.username, "operator");
});
