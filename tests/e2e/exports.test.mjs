/** Exports: started in a list, followed, left, stopped, found again in the user centre. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { allRoutes, call, flow, openPage, toast, until, visit } from "./support.mjs";

const dialogOf = (page) => page.getByRole("dialog", { name: "导出列表" });

async function begin(page, format = "文本（.csv）") {
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel(format).check();
  await dialog.getByRole("button", { name: "导出", exact: true }).click();
  return dialog;
}

flow("a small list is in the downloads at once, and in the user centre for a week", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?status=enabled");
  const download = page.waitForEvent("download");
  await begin(page);
  const file = await download;
  assert.match(file.suggestedFilename(), /^渠道列表-\d{8}-\d{6}\.csv$/);
  const text = await readFile(await file.path(), "utf8");
  assert.ok(text.includes("渠道编码") && text.split("\r\n").length > 5);
  await toast(page, "导出完成");
  await dialogOf(page).waitFor({ state: "detached" });

  await visit(page, "/account/center?tab=exports");
  const row = page.getByRole("row", { name: /渠道列表 \(csv\)/ }).first();
  await row.getByText("已完成").waitFor();
  const again = page.waitForEvent("download");
  await row.getByRole("link", { name: "下载" }).click();
  assert.equal(await readFile(await (await again).path(), "utf8"), text);

  await row.getByRole("button", { name: "删除" }).click();
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog", { name: "删除这个导出任务？" }));
  await question.getByRole("button", { name: "删除" }).click();
  await toast(page, "导出任务已删除");
});

/** Holds a list's tasks in the queue, so that none ends before the test has seen it. */
async function heldBack(page) {
  const held = { status: "running", rowCount: 12, totalRows: 40 };
  await page.route(/\/api\/export\/\d+$/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, url: null, ...held } } });
  });
}

flow("a long export shows how far it is, and goes on when its dialog is left", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  await heldBack(page);
  const dialog = await begin(page, "Excel（.xlsx）");
  await dialog.getByText("已导出 12 / 40 行").waitFor();
  assert.equal(await dialog.getByRole("progressbar").getAttribute("value"), "12");
  await dialog.getByRole("button", { name: "转到后台" }).click();
  await toast(page, "可在“用户中心 › 我的导出”下载");
  await page.unroute(/\/api\/export\/\d+$/);
  const tasks = () => call("POST", "/export/page", { pageSize: 1 }, "operator");
  await until(async () => (await tasks()).list[0].status === "success", "the task to end by itself");
});

flow("a long export can be stopped", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  await heldBack(page);
  const stopped = page.waitForRequest((request) => request.method() === "POST" && /\/api\/export\/\d+\?_method=DELETE$/.test(request.url()));
  const dialog = await begin(page, "Excel（.xlsx）");
  await dialog.getByRole("button", { name: "取消导出" }).click();
  await stopped;
  await toast(page, "导出已取消");
  await dialog.waitFor({ state: "detached" });
});

flow("an export that fails says why", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  await page.route(/\/api\/export\/\d+$/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, url: null, status: "failed", reason: "超过 1,000,000 行，请缩小查询范围" } } });
  });
  const dialog = await begin(page);
  await dialog.getByRole("alert").getByText("超过 1,000,000 行，请缩小查询范围").waitFor();
  await dialog.getByRole("button", { name: "关闭" }).last().click();
  await dialog.waitFor({ state: "detached" });
});

flow("one's exports are one's own", { as: "operator" }, async (page) => {
  const { taskId } = await call("POST", "/channel/page/export", { format: "csv" }, "operator");
  await until(async () => (await call("GET", `/export/${taskId}`, undefined, "operator")).url, "the file");
  const other = await openPage({ as: "admin", allow: [/404/] });
  await visit(other.page, "/account/center?tab=exports");
  assert.equal(await other.page.getByRole("link", { name: "下载" }).count(), 0);
  assert.equal((await other.page.request.get(`/exports/${taskId}`)).status(), 404);
  assert.deepEqual(other.complaints(), []);
  await other.context.close();
  await visit(page, "/account/center?tab=exports");
  assert.equal((await page.request.get(`/exports/${taskId}`)).status(), 200);
});

flow("a file with whole numbers needs a reason, and says it in the user centre", { as: "admin" }, async (page) => {
  const { list: [user] } = await call("POST", "/user/page", { pageSize: 1, status: "distributed" }, "admin");
  await visit(page, `/user/list?keyword=${user.no}`);
  await page.getByRole("button", { name: "导出", exact: true }).click();
  const dialog = dialogOf(page);
  const submit = dialog.getByRole("button", { name: "导出", exact: true });
  await dialog.getByLabel("文本（.csv）").check();
  assert.equal(await dialog.getByLabel("导出原因").count(), 0);
  // By keys alone.
  await dialog.getByLabel("完整", { exact: true }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.type("测试");
  await submit.press("Enter");
  await dialog.getByRole("alert").getByText("请填写导出原因，5 至 200 个字").waitFor();
  const reason = dialog.getByLabel("导出原因");
  assert.ok(await reason.evaluate((input) => input === document.activeElement && input.getAttribute("aria-invalid") === "true"));
  await page.setViewportSize({ width: 360, height: 740 });
  assert.ok(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().width <= 360));
  await page.keyboard.type("导出完整号码");
  assert.equal(await dialog.getByRole("alert").count(), 0);
  const download = page.waitForEvent("download");
  await submit.press("Enter");
  const text = await readFile(await (await download).path(), "utf8");
  assert.match(text, /(?<!\d)1\d{10}(?!\d)/);
  assert.ok(!text.includes(user.phoneMask), text);
  await toast(page, "导出完成");

  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, "/account/center?tab=exports");
  const row = page.getByRole("row", { name: /用户列表 \(csv\)/ }).first();
  await row.getByText("含完整号码").waitFor();
  await row.getByText("测试导出完整号码").waitFor();
  await visit(page, "/channel/list");
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await dialogOf(page).getByLabel("全部列").waitFor();
  assert.equal(await dialogOf(page).getByLabel("完整", { exact: true }).count(), 0);
});

/** Lists whose files other tests check, by the beginning of their address. */
const ELSEWHERE = ["/user/list", "/user/mate-channel-list", "/user/match-list", "/crm/", "/chat/", "/chart/", "/chartMon/", "/finance/invoice/invoiceable", "/admin/agreement"];
/** Lists that are not exported. */
const WITHOUT_FILE = ["/admin/test-rules", "/admin/dictionary", "/admin/notice", "/admin/session", "/account/message"];

const lists = allRoutes()
  .filter(({ path, loads }) => loads?.list && !WITHOUT_FILE.includes(path) && !ELSEWHERE.some((start) => path.startsWith(start)))
  .map(({ path }) => path);

// The server's file has each column that the browser requests.
for (const address of lists) {
  flow(`the list ${address} comes as a file with all its columns`, { as: "admin" }, async (page) => {
    await visit(page, address);
    await page.getByRole("button", { name: "导出", exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("文本（.csv）").check();
    await dialog.getByLabel("全部列").check();
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "导出", exact: true }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const [head, ...lines] = text.trim().split("\r\n");
    assert.ok(head.split(",").length > 3 && lines.length > 0, text.slice(0, 300));
  });
}
