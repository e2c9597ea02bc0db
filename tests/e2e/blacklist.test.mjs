/** /user/black-list in the browser: entries are made, found, changed, lifted, put back and imported. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { act, axe, call, flow, toast, until, visit } from "./support.mjs";

const rowOf = (page, reason) => page.locator("tbody tr", { has: page.getByRole("cell", { name: reason, exact: true }) });
const dialogOf = (page, name) => page.getByRole("dialog", { name });

/** An entry that holds everywhere. */
function entered(value, reason) {
  return call("POST", "/blacklist", { kind: "phone", value, scope: "global", source: "risk", reason }, "operator");
}

flow("an entry is made, found by its whole value, changed, lifted and put back", { as: "operator" }, async (page) => {
  await visit(page, "/user/black-list");
  await page.getByRole("button", { name: "新增黑名单" }).click();
  const dialog = dialogOf(page, "新增黑名单");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填").first().waitFor();
  await dialog.getByLabel("名单值").fill("1000008000");
  await dialog.getByLabel("原因").fill("流程原因");
  await dialog.getByLabel("范围").selectOption({ label: "渠道" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("请输入 11 位手机号").waitFor();
  await dialog.getByText("请选择渠道").first().waitFor();
  await axe(page);
  await dialog.getByLabel("名单值").fill("10000080001");
  await dialog.getByLabel("渠道").first().selectOption({ index: 1 });
  // A moment is typed in any form; Escape closes the calendar and not the dialog.
  await dialog.getByLabel("到期时间").fill("2099/12/1 18:00");
  const calendar = dialog.getByRole("dialog", { name: "日历" });
  await dialog.getByRole("button", { name: "打开日历" }).click();
  await calendar.getByRole("button", { name: "2099-12-31" }).waitFor();
  await page.keyboard.press("Escape");
  await calendar.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "打开日历" }).click();
  await calendar.getByRole("button", { name: "2099-12-31" }).click();
  assert.equal(await dialog.getByLabel("到期时间").inputValue(), "2099-12-31 18:00");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "黑名单已新增");

  await page.getByLabel("关键词").fill("10000080001");
  await page.getByRole("button", { name: "查询" }).click();
  const row = rowOf(page, "流程原因");
  await until(async () => (await page.locator("tbody tr").count()) === 1, "it alone is found");
  await row.getByText("100****0001").waitFor();
  assert.doesNotMatch(await page.locator("table").innerText(), /10000080001/);

  await row.getByRole("button", { name: "编辑" }).click();
  const edit = dialogOf(page, "编辑黑名单");
  await edit.getByText("名单值不能修改，请新增一条").waitFor();
  await edit.getByLabel("范围").selectOption({ label: "全局" });
  await edit.getByLabel("原因").fill("改过的原因");
  await edit.getByRole("button", { name: "保存" }).click();
  await toast(page, "黑名单已保存");
  const changed = rowOf(page, "改过的原因");
  await changed.getByRole("cell", { name: "全局", exact: true }).waitFor();

  await act(page, changed, "解除");
  const why = dialogOf(page, /^解除黑名单/);
  await why.getByRole("button", { name: "解除" }).click();
  await why.getByText("必填", { exact: true }).waitFor();
  await why.getByLabel("解除原因").fill("误报");
  await why.getByRole("button", { name: "解除" }).click();
  await toast(page, "黑名单已解除");
  await changed.getByText("已解除").waitFor();
  await act(page, changed, "恢复");
  await page.locator(".ll-dialog-foot button").last().click();
  await toast(page, "黑名单已恢复");
  await changed.getByText("生效", { exact: true }).waitFor();
});

flow("the whole value is shown to who may see it, and its history tells who did", { as: "admin" }, async (page) => {
  await entered("10000080002", "明文原因");
  await visit(page, "/user/black-list?keyword=明文原因");
  await rowOf(page, "明文原因").getByRole("link", { name: "100****0002" }).click();
  await page.getByRole("heading", { level: 1, name: "100****0002" }).waitFor();
  const main = page.locator("#main");
  await main.getByText("生效：拦截所有渠道的申请，不分发给任何机构（按手机号）。 长期有效。 还没有拦截过。").waitFor();
  assert.doesNotMatch(await main.innerText(), /10000080002/);
  await main.getByRole("button", { name: "查看" }).click();
  await main.getByText("10000080002").waitFor();
  await axe(page);
  await main.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await main.getByText("新增", { exact: true }).first().waitFor();
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回黑名单" }).click();
  await page.waitForURL((url) => url.pathname === "/user/black-list" && url.searchParams.get("keyword") === "明文原因");
  await rowOf(page, "明文原因").getByRole("link", { name: "100****0002" }).click();
  await page.getByRole("heading", { level: 1, name: "100****0002" }).waitFor();
  await act(page, main, "删除");
  await page.locator(".ll-dialog-foot button").last().click();
  await toast(page, "黑名单已删除");
  await page.waitForURL("**/user/black-list");
  await rowOf(page, "明文原因").waitFor({ state: "detached" });
});

flow("a table is tried, shown with what is wrong, taken, and its wrong rows come back as a file", { as: "operator" }, async (page) => {
  await entered("10000080003", "已有的");
  await visit(page, "/user/black-list");
  await page.getByRole("button", { name: "导入", exact: true }).click();
  const dialog = dialogOf(page, "导入黑名单");
  await axe(page);
  const template = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "下载模板" }).click();
  assert.equal((await template).suggestedFilename(), "黑名单导入模板.xlsx");

  const take = dialog.getByRole("button", { name: /^导入/ });
  assert.ok(await take.isDisabled());
  const choose = (name, text) => dialog.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("名单.doc", "x");
  await dialog.getByText("请选择 XLSX、CSV 或 TXT 文件").waitFor();
  await choose("名单.csv", "类型,原因\n手机号,x\n");
  await dialog.getByText("第 1 行：缺少列：名单值").waitFor();
  await choose("名单.csv", "类型,名单值,原因\n手机号,10000080003,x\n手机号,10000080004,导入原因\n手机号,123,导入原因\n");
  await dialog.getByText("共 3 行：可导入 2 行，重复 0 行，错误 1 行。 已有的记录在导入时跳过，校验时不核对。").waitFor();
  await dialog.getByRole("cell", { name: "请输入 11 位手机号" }).waitFor();
  await axe(page);
  assert.equal((await call("POST", "/blacklist/page", { keyword: "导入原因" }, "operator")).total, 0);

  await dialog.getByRole("button", { name: "导入 2 行" }).click();
  await dialog.getByText("共 3 行：已导入 1 行，重复 1 行，错误 1 行。").waitFor();
  const download = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "下载错误行" }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^黑名单-错误行-\d{8}-\d{6}\.csv$/);
  assert.match(await readFile(await file.path(), "utf8"), /手机号,123,导入原因,,,,,4,名单值：请输入 11 位手机号/);
  await axe(page);
  await dialog.getByRole("button", { name: "关闭", exact: true }).last().click();
  await rowOf(page, "导入原因").getByRole("cell", { name: "导入", exact: true }).waitFor();
});

flow("on a phone, in English and in the dark, it is all there", { as: "operator", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  await visit(page, "/user/black-list");
  await page.getByRole("heading", { name: "Blacklist", level: 1 }).waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = dialogOf(page, "Import entries");
  await dialog.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("kind,value,reason\nphone,1,\nip,203.0.113.250,x\n") });
  await dialog.getByText("2 rows: 1 can be imported, 0 are duplicates, 1 have errors.").waitFor();
  await dialog.getByRole("cell", { name: "Enter an 11-digit mobile number" }).waitFor();
  await axe(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `the page is ${wide} px wide`);
  // The outcome of a table is in sight under the hints, even if it is long.
  const wrong = Array.from({ length: 25 }, (_, number) => `phone,${number},x,y`).join("\n");
  await dialog.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(`kind,value,reason,notes\n${wrong}\n`) });
  const outcome = dialog.getByText("25 rows: 0 can be imported, 0 are duplicates, 25 have errors.");
  await outcome.waitFor();
  await until(() => outcome.evaluate((element) => element.getBoundingClientRect().bottom < innerHeight / 2), "the outcome is in sight");
  await dialog.getByText("Only the first 20 errors are listed").waitFor();
  assert.equal(await dialog.getByRole("checkbox").count(), 0, "nothing is there to be imported without a column");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "New entry" }).click();
  await dialogOf(page, "New entry").getByLabel("Value").waitFor();
  await axe(page);
});

flow("who may not import or reveal has no button for it", { as: "auditor" }, async (page) => {
  await visit(page, "/user/black-list");
  const first = page.locator("tbody tr").first().getByRole("link");
  await first.waitFor();
  assert.equal(await page.getByRole("button", { name: "导入", exact: true }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "新增黑名单" }).count(), 0);
  await first.click();
  await page.locator("#main").getByText("名单值").first().waitFor();
  assert.equal(await page.locator("#main").getByRole("button", { name: "查看" }).count(), 0);
});
