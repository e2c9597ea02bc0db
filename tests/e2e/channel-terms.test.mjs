/** A channel's caps and filters: set by hand and by keyboard, refused where they are wrong, read as sentences. */
import assert from "node:assert/strict";
import { axe, call, flow, toast, visit } from "./support.mjs";

async function makeChannel(code, fields = {}) {
  const { id } = await call("POST", "/channel", { code, name: `渠道 ${code}`, type: "ads", settleMode: "none", ...fields }, "admin");
  return call("GET", `/channel/${id}`, undefined, "admin");
}

/** Opens the form of the only channel that a list shows. */
async function openForm(page, code) {
  await visit(page, `/channel/list?keyword=${code}`);
  await page.getByRole("button", { name: "编辑", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "编辑渠道" });
  await dialog.getByRole("button", { name: "添加量控" }).waitFor();
  return dialog;
}

flow("caps and conditions are added, told as one sets them, saved and read", { as: "operator" }, async (page) => {
  const { id } = await makeChannel("terms-by-hand");
  const dialog = await openForm(page, "terms-by-hand");

  await dialog.getByRole("button", { name: "添加量控" }).click();
  await page.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "量控 1：周期");
  await dialog.getByLabel("量控 1：数量").fill("1000");
  await dialog.getByRole("button", { name: "添加量控" }).click();
  await dialog.getByLabel("量控 2：周期").selectOption({ label: "每天" });
  await dialog.getByLabel("量控 2：周几").selectOption({ label: "周日" });
  await dialog.getByLabel("量控 2：金额").fill("500.5");
  await dialog.getByText("每天最多 1,000 条；周日最多 500.50 元").waitFor();

  await dialog.getByRole("button", { name: "添加条件", exact: true }).click();
  await page.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "条件 1：字段");
  await dialog.getByLabel("条件 1：起").fill("22");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("请输入数字").waitFor();
  await dialog.getByLabel("条件 1：止").fill("55");

  // A group by keyboard alone.
  await dialog.getByRole("button", { name: "添加条件组" }).first().press("Enter");
  await dialog.getByLabel("条件 2.1：字段").selectOption({ label: "房产" });
  await dialog.getByLabel("条件 2.1：比较").selectOption({ label: "有无" });
  await dialog.getByRole("group", { name: "条件组 2" }).getByRole("button", { name: "添加条件", exact: true }).press("Enter");
  await dialog.getByLabel("条件 2.2：字段").selectOption({ label: "职业" });
  await dialog.getByRole("group", { name: "条件 2.2：取值" }).getByText("公务员").click();
  await dialog.getByText("年龄 22–55 且（有房 或 职业为公务员）").waitFor();
  await axe(page);

  await page.keyboard.press("Control+Enter");
  await toast(page, "渠道已保存");
  const saved = await call("GET", `/channel/${id}`, undefined, "admin");
  assert.deepEqual(saved.caps.map(({ window, weekday, maxCount, maxCents }) => [window, weekday, maxCount, maxCents]), [
    ["day", null, 1000, null],
    ["day", 7, null, 50050],
  ]);

  await page.locator("tbody tr").first().getByRole("link").first().click();
  const details = page.locator("#main");
  await details.locator("dl").getByText("年龄 22–55 且（有房 或 职业为公务员）").waitFor();
  await axe(page);
  await page.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await details.locator("ins").getByText("每天最多 1,000 条；周日最多 500.50 元").waitFor();
  await axe(page);
});

flow("a narrow screen holds the editors, and what is removed is gone", { as: "operator", width: 360, height: 800 }, async (page) => {
  const age = { field: "age", op: "gte", value: 22 };
  const { id } = await makeChannel("terms-narrow", {
    caps: [{ window: "day", weekday: null, maxCount: 5, maxCents: null }],
    filters: { all: [age, { any: [{ all: [{ any: [age] }, age] }, age] }] },
  });
  await visit(page, "/channel/list?keyword=terms-narrow");
  await page.getByRole("button", { name: "编辑", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "编辑渠道" });
  await dialog.getByLabel("量控 1：数量").waitFor();
  await dialog.getByLabel("条件 2.1.1.1：取值").waitFor();
  const wide = await dialog.locator(".ll-dialog-body").evaluate((body) => body.scrollWidth - body.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
  await dialog.getByRole("button", { name: "删除条件组 2", exact: true }).click();
  await dialog.getByRole("button", { name: "删除量控 1" }).click();
  await page.keyboard.press("Control+Enter");
  await toast(page, "渠道已保存");
  const saved = await call("GET", `/channel/${id}`, undefined, "admin");
  assert.deepEqual([saved.caps, saved.filters], [[], { all: [age] }]);
});
