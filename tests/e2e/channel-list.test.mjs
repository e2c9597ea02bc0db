/** Finding channels: filters, order, pages, columns, and the list as a file. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { axe, call, flow, hydrated, openPage, toast, until, visit } from "./support.mjs";

const codes = (page) => page.locator("tbody th + td").allTextContents();
const query = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const rows = (filters, as = "operator") => call("POST", "/channel/page", filters, as);

/** Waits until the table shows exactly these channels, in this order. */
async function shows(page, list) {
  const wanted = list.map(({ code }) => code).join();
  await until(async () => (await codes(page)).join() === wanted, `the rows ${wanted}`);
}

/** Marks the document, so that a test sees whether it is still the same one. */
const mark = (page) => page.evaluate(() => void (window.marked = true));
const isMarked = (page) => page.evaluate(() => window.marked === true);

flow("filters go into the address and come back with the back button", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  await mark(page);
  const all = await rows({});
  await shows(page, all.list);

  await page.getByLabel("关键词").fill("api");
  await page.getByLabel("关键词").press("Enter");
  const api = await rows({ keyword: "api" });
  await shows(page, api.list);
  assert.deepEqual(query(page), { keyword: "api" });

  await page.getByLabel("状态").selectOption({ label: "暂停" });
  await page.getByRole("button", { name: "查询" }).click();
  await shows(page, (await rows({ keyword: "api", status: "paused" })).list);
  assert.deepEqual(query(page), { keyword: "api", status: "paused" });

  await page.goBack();
  await shows(page, api.list);
  assert.equal(await page.getByLabel("状态").inputValue(), "", "the filter bar follows the address");
  assert.equal(await page.getByLabel("关键词").inputValue(), "api");
  await page.goBack();
  await shows(page, all.list);
  assert.equal(await page.getByLabel("关键词").inputValue(), "");
  await page.goForward();
  await shows(page, api.list);
  assert.ok(await isMarked(page), "no document was loaded in between");

  await page.reload();
  await hydrated(page);
  await shows(page, api.list);
});

flow("further filters unfold where one of them is set", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  assert.ok(!(await page.getByLabel("结算方式").isVisible()));
  await page.getByText("更多条件").click();
  await page.getByLabel("结算方式").selectOption({ label: "按 UV" });
  await page.getByLabel("负责人").selectOption({ label: "林晓峰 (channel.lin)" });
  await page.getByRole("button", { name: "查询" }).click();
  const owner = (await call("GET", "/admin/options", undefined, "operator")).find(({ label }) => label.startsWith("林晓峰"));
  await shows(page, (await rows({ settleMode: "uv", ownerAdminId: owner.value })).list);

  await visit(page, "/channel/list?createdFrom=2020-01-01&createdTo=2020-12-31");
  assert.ok(await page.getByLabel("创建时间：从").isVisible());
  assert.equal(await page.getByLabel("创建时间：到").inputValue(), "2020-12-31");
  await page.getByText("没有符合条件的记录").waitFor();
  await page.getByRole("link", { name: "清除筛选条件" }).click();
  await shows(page, (await rows({})).list);
  assert.deepEqual(query(page), {});
});

// S2.22
flow("pages turn, scroll to the top and keep the order", { as: "operator", height: 500 }, async (page) => {
  await visit(page, "/channel/list?sort=name&order=desc");
  await mark(page);
  const next = page.getByRole("link", { name: "下一页" });
  await next.scrollIntoViewIfNeeded();
  await until(() => page.evaluate(() => scrollY > 0), "a page longer than the window");
  await next.click();
  const second = await rows({ sort: "name", order: "desc", current: 2 });
  await shows(page, second.list);
  assert.deepEqual(query(page), { sort: "name", order: "desc", current: "2" });
  await until(() => page.evaluate(() => scrollY === 0), "the top");
  assert.equal(await next.getAttribute("aria-disabled"), "true");
  await page.getByRole("link", { name: "第 1 页" }).click();
  await shows(page, (await rows({ sort: "name", order: "desc" })).list);

  await page.getByLabel("每页条数").selectOption("50");
  await shows(page, (await rows({ sort: "name", order: "desc", pageSize: 50 })).list);
  assert.deepEqual(query(page), { sort: "name", order: "desc", pageSize: "50" });
  assert.ok(await isMarked(page));

  await visit(page, "/channel/list?current=99");
  await page.getByText("这一页没有记录").waitFor();
  await page.getByRole("link", { name: "回到第一页" }).click();
  await shows(page, (await rows({})).list);
});

flow("a column's head sorts up, down and not at all", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  const head = page.getByRole("columnheader", { name: "结算单价（元）" });
  await head.getByRole("link").click();
  await shows(page, (await rows({ sort: "unitPriceCents", order: "asc" })).list);
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  await head.getByRole("link").click();
  await shows(page, (await rows({ sort: "unitPriceCents", order: "desc" })).list);
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  await head.getByRole("link").click();
  await shows(page, (await rows({})).list);
  assert.equal(await head.getAttribute("aria-sort"), null);
});

flow("columns and row height are the viewer's choice and stay", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list");
  const head = page.getByRole("columnheader");
  assert.equal(await head.filter({ hasText: "落地页地址" }).count(), 0);
  await page.getByRole("button", { name: "显示的列" }).click();
  await page.getByRole("menuitemcheckbox", { name: "落地页地址" }).click();
  await page.getByRole("menuitemcheckbox", { name: "结算方式" }).click();
  await page.keyboard.press("Escape");
  await head.filter({ hasText: "落地页地址" }).waitFor();
  await page.getByRole("button", { name: "行高" }).click();
  await page.getByRole("menuitemradio", { name: "紧凑" }).click();
  await page.locator(".ll-table.ll-compact").waitFor();

  await page.reload();
  await hydrated(page);
  await page.locator(".ll-table.ll-compact").waitFor();
  await head.filter({ hasText: "落地页地址" }).waitFor();
  assert.equal(await head.filter({ hasText: "结算方式" }).count(), 0);
});

flow("refresh brings what others have added", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?keyword=freshly");
  await page.getByText("没有符合条件的记录").waitFor();
  const channel = { code: "freshly-made", name: "新渠道", type: "h5", settleMode: "none", unitPriceCents: 0, shareBp: 0, landingUrl: null, ipAllow: [], callbackUrl: null, dedupDays: null, ownerAdminId: null, remark: "" };
  await call("POST", "/channel", channel, "admin");
  await page.getByRole("button", { name: "刷新" }).click();
  await page.getByRole("cell", { name: "freshly-made" }).waitFor();
});

flow("nonsense in the address is answered with a way on", { as: "operator", allow: [/status of 400/] }, async (page) => {
  const response = await visit(page, "/channel/list?sort=appSecret&order=sideways");
  assert.equal(response.status(), 400);
  const alert = page.getByRole("alert");
  await alert.getByText("链接中的查询条件无效").waitFor();
  await axe(page);
  await alert.getByRole("link", { name: "清除筛选条件" }).click();
  await shows(page, (await rows({})).list);
});

flow("who looks after channels sees only his own", { as: "channel.sun" }, async (page) => {
  await visit(page, "/channel/list?pageSize=200");
  const own = await rows({ pageSize: 200 }, "channel.sun");
  const all = await rows({ pageSize: 200 });
  assert.ok(own.total > 0 && own.total < all.total);
  await shows(page, own.list);
  assert.deepEqual([...new Set(own.list.map(({ ownerName }) => ownerName))], ["孙浩然"]);
});

flow("a long list says how to go on when it is empty", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?keyword=nothing-like-this");
  await page.getByText("没有符合条件的记录").waitFor();
  assert.equal(await page.getByText("共 0 条").count(), 1);
});

/** Exports the list that is open, and returns the file's name and bytes. */
async function exported(page, format, columns) {
  await page.getByRole("button", { name: "导出" }).click();
  const dialog = page.getByRole("dialog", { name: "导出列表" });
  await dialog.getByLabel(format).check();
  await dialog.getByLabel(columns).check();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "导出" }).click();
  const file = await download;
  await toast(page, "导出完成");
  await dialog.waitFor({ state: "detached" });
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

flow("the list as filtered and ordered becomes a CSV without formulas", { as: "auditor" }, async (page) => {
  const channel = { code: "formula-row", name: `=HYPERLINK("http://evil.example","x")`, type: "other", settleMode: "none", unitPriceCents: 0, shareBp: 0, landingUrl: null, ipAllow: [], callbackUrl: null, dedupDays: null, ownerAdminId: null, remark: `+1, "quoted"\n-2` };
  await call("POST", "/channel", channel, "admin");
  await visit(page, "/channel/list?type=other&sort=code&order=asc");
  const { name, bytes } = await exported(page, "文本（.csv）", "全部列");
  assert.match(name, /^渠道.*\.csv$/);
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = bytes.toString("utf8").slice(1).split("\r\n");
  const { list } = await rows({ type: "other", sort: "code", order: "asc", pageSize: 200 });
  assert.ok(lines[0].startsWith("渠道名称,渠道编码,"));
  assert.equal(lines.length - 2, list.length);
  for (const [i, { code }] of list.entries()) assert.ok(lines[i + 1].includes(`,${code},`), lines[i + 1]);
  const line = lines.find((text) => text.includes(",formula-row,"));
  assert.ok(line.includes(`"'=HYPERLINK(""http://evil.example"",""x"")"`), line);
  assert.ok(line.includes(`"'+1, ""quoted""\n-2"`), line);
});

flow("phones leave the house masked", { as: "auditor" }, async (page) => {
  await visit(page, "/admin/list");
  const { bytes } = await exported(page, "文本（.csv）", "全部列");
  const text = bytes.toString("utf8");
  assert.match(text, /1\d{2}\*{4}\d{4}/);
  assert.ok(!/1\d{10}/.test(text));
});

flow("the list becomes a workbook with the columns that are shown", { as: "auditor" }, async (page) => {
  await visit(page, "/channel/list");
  const { name, bytes } = await exported(page, "Excel（.xlsx）", "当前显示的列");
  assert.match(name, /\.xlsx$/);
  assert.equal(bytes.subarray(0, 2).toString(), "PK");
});

flow("two people's lists do not meet", { as: "operator" }, async (page) => {
  const other = await openPage({ as: "channel.lin", locale: "en-US", theme: "dark" });
  await Promise.all([visit(page, "/channel/list"), visit(other.page, "/channel/list")]);
  await page.getByRole("heading", { name: "渠道列表" }).waitFor();
  await other.page.getByRole("heading", { name: "Channel list" }).waitFor();
  assert.deepEqual(await codes(other.page), (await rows({}, "channel.lin")).list.map(({ code }) => code));
  assert.deepEqual(other.complaints(), []);
  await other.context.close();
});

flow("a click that comes before the scripts is made once they run", { as: "admin", locale: "zh-CN" }, async (page) => {
  for (const [what, seen] of [
    [page.locator("tbody tr").nth(2).getByRole("button", { name: "编辑" }), page.getByRole("dialog")],
    [page.locator("tbody tr").nth(1).getByRole("checkbox"), page.getByText("已选 1 项")],
  ]) {
    let arrive;
    const arrived = new Promise((done) => (arrive = done));
    await page.route("**/assets/*.js", async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto("/channel/list", { waitUntil: "commit" });
    await what.click();
    assert.equal(await seen.count(), 0);
    arrive();
    await seen.waitFor();
    await hydrated(page);
    assert.equal(await seen.count(), 1);
    await page.unroute("**/assets/*.js");
  }
});

flow("a pressed button is busy until the code of its dialog has arrived", { as: "admin", locale: "zh-CN" }, async (page) => {
  await visit(page, "/channel/list");
  let arrive;
  const arrived = new Promise((done) => (arrive = done));
  await page.route("**/assets/*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  const edit = page.locator("tbody tr").nth(1).getByRole("button", { name: "编辑" });
  const dialog = page.getByRole("dialog", { name: "编辑渠道" });
  await edit.click();
  await page.locator("tbody button[aria-busy=true]").getByText("编辑").waitFor();
  await edit.click();
  arrive();
  await dialog.waitFor();
  assert.equal(await page.locator("tbody [aria-busy=true]").count(), 0);
  await page.keyboard.press("Escape");
  await until(async () => (await dialog.count()) === 0, "one dialog, though the button was pressed twice");
});

flow("the focus stays on a row's button while rows above it go", { as: "admin", locale: "zh-CN" }, async (page) => {
  await visit(page, "/channel/list?status=enabled");
  const row = page.locator("tbody tr").nth(3);
  const name = await row.locator("th").textContent();
  await row.getByRole("button", { name: "更多" }).focus();
  const [first] = (await rows({ status: "enabled" }, "admin")).list;
  await call("PUT", "/channel/status", { id: first.id, version: first.version, status: "paused" }, "admin");
  await page.getByRole("button", { name: "刷新" }).evaluate((button) => button.click());
  await until(async () => (await codes(page))[0] !== first.code, "the first row is gone");
  const focused = await page.evaluate(() => {
    const button = document.activeElement;
    return [button.textContent, button.closest("tr")?.querySelector("th").textContent];
  });
  assert.deepEqual(focused, ["更多", name]);
});

flow("a view of the list keeps its filters, its order and its columns", { as: "operator" }, async (page) => {
  const open = async (name) => {
    await page.getByRole("button", { name: "视图", exact: true }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await visit(page, "/channel/list?type=api&sort=code&order=asc");
  await page.getByRole("button", { name: "显示的列" }).click();
  const boxes = page.getByRole("menuitemcheckbox");
  await boxes.first().click();
  const names = async () => (await boxes.allTextContents()).map((name) => name.trim());
  const [, second, third, fourth, fifth, ...rest] = await names();
  await boxes.nth(1).press("Alt+ArrowDown");
  assert.deepEqual((await names()).slice(1, 3), [third, second], "Alt and an arrow key move a column");
  assert.ok(await boxes.nth(2).evaluate((box) => box === document.activeElement), "the focus moves with it");
  await boxes.nth(4).locator(".ll-drag").dragTo(boxes.nth(1));
  assert.deepEqual((await names()).slice(1), [fifth, third, second, fourth, ...rest], "the pointer moves one too");
  await page.keyboard.press("Escape");
  const heads = () => page.locator("thead th").allTextContents();
  const shown = await heads();
  await open("保存为视图");
  const dialog = page.getByRole("dialog", { name: "保存为视图" });
  await dialog.getByLabel("视图名称").fill("API 渠道");
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await toast(page, "视图已保存");

  await page.evaluate(() => localStorage.removeItem("list:/channel"));
  await visit(page, "/channel/list");
  assert.notDeepEqual(await heads(), shown);
  await open("API 渠道");
  await page.waitForURL((url) => url.searchParams.get("type") === "api" && url.searchParams.get("sort") === "code");
  await until(async () => (await heads()).join() === shown.join(), "the columns of the view");

  await open("删除视图“API 渠道”");
  await page.getByRole("button", { name: "删除视图", exact: true }).click();
  await toast(page, "视图已删除");
});
