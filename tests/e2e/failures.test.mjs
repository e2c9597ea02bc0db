/** Failures and how they are shown: toasts and their time, no answer, no page. */
import assert from "node:assert/strict";
import { axe, flow, until, toast, visit } from "./support.mjs";

/** Runs an action that makes the page fetch its unread counts, and waits for the answer: a call under way would time out as the clock jumps. */
const answered = async (page, action) => {
  const response = page.waitForResponse("**/api/message/unread");
  await action();
  await (await response).finished();
};
/** Moves the page's clock an hour ahead and stops it; from then on time passes only by `runFor`. */
const stopClock = (page) => answered(page, () => page.clock.pauseAt(new Date(Date.now() + 3_600_000)));
const WARNED = /console warning: POST \/api\/channel\/page/;

// S8.05 S9.04
flow("a call that does not get through says so for five seconds", { as: "operator", locale: "en-US", allow: [WARNED, /ERR_FAILED/] }, async (page) => {
  await page.clock.install();
  await answered(page, () => visit(page, "/channel/list"));
  await page.route("**/api/channel/page", (route) => route.abort());
  await stopClock(page);
  await page.getByRole("button", { name: "Refresh" }).click();
  const message = await toast(page, "Request Error");
  await page.clock.runFor(4900);
  assert.ok(await message.isVisible());
  await page.clock.runFor(200);
  await message.waitFor({ state: "detached" });
  // The list says it too, with a way to try again.
  await page.unroute("**/api/channel/page");
  await page.getByRole("alert").getByRole("link", { name: "Try again" }).click();
  await page.locator("tbody tr").nth(5).waitFor();
});

// S8.01 S8.05
flow("the words of the error catalogue stand alone in Chinese too", { as: "operator", allow: [WARNED, /ERR_FAILED/] }, async (page) => {
  await visit(page, "/channel/list");
  await page.route("**/api/channel/page", (route) => route.fulfill({ json: { code: "1006", desc: "", data: null } }));
  await page.getByRole("button", { name: "刷新" }).click();
  await page.locator(".ll-toast").getByText("Error", { exact: true }).waitFor();
  await page.unroute("**/api/channel/page");
  await page.route("**/api/channel/page", (route) => route.abort());
  await page.getByRole("button", { name: "刷新" }).click();
  await page.locator(".ll-toast").getByText("Request Error", { exact: true }).waitFor();
});

// S9.04
flow("a call is given ten seconds", { as: "operator", locale: "en-US", allow: [WARNED] }, async (page) => {
  await page.clock.install();
  await answered(page, () => visit(page, "/channel/list"));
  const requested = new Promise((resolve) => page.route("**/api/channel/page", resolve));
  await stopClock(page);
  const beside = page.waitForResponse("**/api/admin/options");
  await page.getByRole("button", { name: "Refresh" }).click();
  await Promise.all([requested, beside.then((response) => response.finished())]);
  await page.clock.runFor(9900);
  assert.equal(await page.locator(".ll-toast").count(), 0);
  await page.clock.runFor(200);
  await toast(page, "Request Error");
});

// S8.01 S8.02
flow("a refusal is told in the server's words, and without words as an error", { as: "operator", locale: "en-US" }, async (page) => {
  await visit(page, "/channel/list");
  const answers = [{ code: "1006", desc: "The state does not allow it", data: null }, { code: "1006", desc: "", data: null }];
  await page.route("**/api/channel/page", (route) => route.fulfill({ json: answers.shift() }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await toast(page, "The state does not allow it");
  await page.getByRole("alert").getByText("The state does not allow it").waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.locator(".ll-toast").getByText("Error", { exact: true }).waitFor();
});

// S8.05: an office proxy's own page
flow("an answer that is no envelope is told by its msg", { as: "operator", allow: [WARNED, /status of 502/, /status 502/] }, async (page) => {
  await visit(page, "/channel/list");
  await page.route("**/api/channel/page", (route) => route.fulfill({ status: 502, json: { msg: "代理服务器无法连接" } }));
  await page.getByRole("button", { name: "刷新" }).click();
  await toast(page, "代理服务器无法连接");
});

flow("the same message is shown once, and can be put away", { as: "operator", locale: "en-US", allow: [WARNED, /ERR_FAILED/] }, async (page) => {
  await visit(page, "/channel/list");
  let failed = 0;
  await page.route("**/api/channel/page", async (route) => {
    await route.abort();
    failed++;
  });
  for (const times of [1, 2]) {
    await page.getByRole("button", { name: "Refresh" }).click();
    await until(() => failed === times, "the call");
    await toast(page, "Request Error");
  }
  assert.equal(await page.locator(".ll-toast").count(), 1);
  await page.locator(".ll-toast").getByRole("button").click();
  await page.locator(".ll-toast").waitFor({ state: "detached" });
});

// The login page without an answer
flow("signing in without an answer says the specification's words", { locale: "en-US", allow: [/console warning: POST \/api\/admin\/login/, /ERR_FAILED/] }, async (page) => {
  await visit(page, "/login");
  await page.route("**/api/admin/login", (route) => route.abort());
  await page.getByLabel("Username").fill("operator");
  await page.getByLabel("Password", { exact: true }).fill("whatever-1");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("alert").getByText("Login error, refresh and try again").waitFor();
  assert.ok(await page.getByRole("button", { name: "Log in", exact: true }).isEnabled(), "one may try again");
});

flow("a page whose scripts cannot be had stays readable, and its links work", { as: "operator", allow: [/\.js/] }, async (page) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/channel/list");
  assert.equal(await page.locator("tbody tr").count(), 20);
  await page.getByRole("link", { name: "下一页" }).click();
  await page.waitForURL("/channel/list?current=2");
  assert.ok((await page.locator("tbody tr").count()) > 0);
});

flow("a menu that does not come is asked for again", { as: "operator", allow: [/role-data/, /ERR_FAILED/] }, async (page) => {
  let asked = 0;
  await page.route("**/role-data/*", (route) => (++asked <= 2 ? route.abort() : route.continue()));
  await visit(page, "/channel/list");
  assert.ok(asked > 2);
  await page.getByRole("button", { name: "新增渠道" }).click();
  await page.getByRole("dialog").waitFor();
});

flow("a document of before a change of the role is loaded again, once", { as: "operator", allow: [/role-data/, /status of 409/, /could not be loaded/] }, async (page) => {
  let documents = 0;
  page.on("request", (request) => (documents += request.isNavigationRequest() ? 1 : 0));
  await page.route("**/role-data/*", (route) => route.fulfill({ status: 409 }));
  await page.goto("/channel/list?current=2");
  await until(() => documents === 2, "the document is loaded again");
  await page.waitForTimeout(500);
  assert.equal(documents, 2);
  await page.unroute("**/role-data/*");
  await visit(page, "/channel/list?current=2");
});

flow("a chunk that cannot be had is told, and the page goes on", { as: "operator", allow: [/form-.*\.js/, /ERR_FAILED/, /dynamically imported module/] }, async (page) => {
  await visit(page, "/channel/list");
  await page.route("**/assets/form-*.js", (route) => route.abort());
  await page.getByRole("button", { name: "新增渠道" }).click();
  await toast(page, "操作没有完成，请检查网络后重试");
  await page.getByRole("button", { name: "更多" }).first().click();
  await page.getByRole("menu").waitFor();
});

const GONE = [/assets\/.*\.js/, /ERR_FAILED/, /dynamically imported module/];

flow("links and refreshes load documents when the module of all pages cannot be had", { as: "operator", allow: GONE }, async (page) => {
  const documents = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(new URL(request.url()).search));
  await page.route("**/assets/site-*.js", (route) => route.abort());
  await visit(page, "/channel/list");
  await page.getByRole("link", { name: "下一页" }).click();
  await page.waitForURL("/channel/list?current=2");
  await visit(page, "/channel/list?current=2");
  await page.getByRole("button", { name: "刷新" }).click();
  await until(() => documents.length === 4, "the page is loaded again");
  assert.deepEqual(documents, ["", "?current=2", "?current=2", "?current=2"]);
});

flow("a dialog waits for its texts, which are asked for three times", { as: "operator", allow: GONE }, async (page) => {
  await visit(page, "/channel/list");
  let asked = 0;
  await page.route("**/assets/zh-CN-*.js", (route) => (++asked <= 2 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "新增渠道" }).click();
  const dialog = page.getByRole("dialog", { name: "新增渠道" });
  await dialog.getByRole("button", { name: "取消" }).waitFor();
  assert.equal(asked, 3);
  assert.ok(!(await dialog.innerText()).includes("undefined"));
});

flow("offline is said as long as it lasts; back online the page brings its data anew", { as: "admin" }, async (page) => {
  await visit(page, "/channel/list");
  await page.context().setOffline(true);
  await page.getByRole("alert").getByText("网络已断开").waitFor();
  await axe(page);
  const again = page.waitForResponse("**/api/channel/page");
  await page.context().setOffline(false);
  await toast(page, "网络已恢复");
  assert.equal((await (await again).json()).code, "0000");
  assert.equal(await page.getByText("网络已断开").count(), 0);
});
