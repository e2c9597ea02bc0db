/**
 * X5: an office proxy between the browser and the server that forbids PUT and DELETE, removes unknown
 * headers, and replaces refusals by its own page. Users can still do their work.
 */
import assert from "node:assert/strict";
import http from "node:http";
import { after, test } from "node:test";
import { act, call, flow, forgetSignIn, server, toast, until, visit } from "./support.mjs";

/** What it lets through to the server. */
const KNOWN =
  /^(accept|accept-encoding|accept-language|cache-control|connection|content-length|content-type|cookie|host|if-none-match|origin|range|referer|token|transfer-encoding|user-agent|sec-fetch-.*)$/;
const ALLOWED = new Set(["GET", "HEAD", "POST"]);

let proxy;
/** What it has refused. */
const refused = [];

test("an office proxy stands before the server", async () => {
  const { hostname, port } = new URL(server.origin);
  proxy = http.createServer((request, response) => {
    if (!ALLOWED.has(request.method)) {
      refused.push(`${request.method} ${request.url}`);
      request.resume();
      response.writeHead(405, { "content-type": "text/html" }).end("<h1>Method not allowed by policy</h1>");
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => KNOWN.test(name)));
    const onward = http.request({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      const isRefusal = answer.statusCode >= 400 && answer.statusCode !== 404;
      response.writeHead(answer.statusCode, isRefusal ? { "content-type": "text/html" } : answer.headers);
      if (isRefusal) answer.resume().on("end", () => response.end("<h1>Error</h1>"));
      else answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  server.origin = `http://127.0.0.1:${proxy.address().port}`;
});

after(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});

const rowOf = (page, code) => page.locator("tbody tr", { has: page.getByRole("cell", { name: code, exact: true }) });

flow("a channel is made, edited, put into another status and deleted", { as: "admin" }, async (page) => {
  const form = { code: "by-the-proxy", name: "代理后的渠道", type: "ads", settleMode: "none", unitPriceCents: 0, shareBp: 0, ipAllow: [], remark: "" };
  const { id } = await call("POST", "/channel", form, "admin");
  await visit(page, "/channel/list?keyword=by-the-proxy");
  await rowOf(page, "by-the-proxy").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑渠道" });
  await dialog.getByLabel("渠道名称").fill("改过的渠道");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "渠道已保存");
  await rowOf(page, "by-the-proxy").getByRole("cell", { name: "改过的渠道" }).waitFor();

  const choose = async (label) => {
    await act(page, rowOf(page, "by-the-proxy"), label);
    const question = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await question.locator(".ll-dialog-foot button").last().click();
    await question.waitFor({ state: "detached" });
  };
  const { status } = await call("GET", `/channel/${id}`, undefined, "admin");
  await choose(status === "disabled" ? "启用" : "停用");
  await toast(page, "渠道状态已更新");
  await choose("删除");
  await until(async () => (await rowOf(page, "by-the-proxy").count()) === 0, "the channel to be gone");
  assert.equal((await call("POST", "/channel/page", { keyword: "by-the-proxy" }, "admin")).total, 0);
  assert.deepEqual(refused, []);
});

flow("a portrait is uploaded and removed", { as: "operator" }, async (page) => {
  await visit(page, "/account/setting");
  await page.getByRole("button", { name: "更换头像" }).click();
  const dialog = page.getByRole("dialog", { name: "更换头像" });
  const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await dialog.getByLabel(/选择图片/).setInputFiles({ name: "a.png", mimeType: "image/png", buffer: dot });
  await dialog.getByRole("button", { name: "移除 a.png" }).click();
  await dialog.getByRole("button", { name: "移除 a.png" }).waitFor({ state: "detached" });
  assert.deepEqual(refused, []);
});

flow("a list is exported and its file deleted", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?status=enabled");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "导出列表" });
  await dialog.getByLabel("文本（.csv）").check();
  await dialog.getByRole("button", { name: "导出", exact: true }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^渠道列表-/);
  // A download that is under way would end the visit of another page.
  await file.path();
  await visit(page, "/account/center?tab=exports");
  await page.getByRole("row", { name: /渠道列表 \(csv\)/ }).first().getByRole("button", { name: "删除" }).click();
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "删除" }).click();
  await toast(page, "导出任务已删除");
  assert.deepEqual(refused, []);
});

flow("one signs out", { as: "finance" }, async (page) => {
  forgetSignIn("finance");
  await visit(page, "/channel/list");
  await page.locator(".app-user-button").click();
  await page.getByRole("button", { name: "退出登录" }).click();
  await page.waitForURL("/login");
  assert.deepEqual(refused, []);
});
