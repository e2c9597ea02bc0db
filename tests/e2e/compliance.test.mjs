/** The compliance check, from a channel, from a text, and its rules. */
import assert from "node:assert/strict";
import { act, axe, call, flow, toast, visit } from "./support.mjs";

async function makeChannel(code, landingUrl) {
  const form = {
    code, name: `渠道 ${code}`, type: "h5", settleMode: "none", unitPriceCents: 0, shareBp: 0, landingUrl,
    ipAllow: [], callbackUrl: null, dedupDays: null, ownerAdminId: null, remark: "",
  };
  const { id } = await call("POST", "/channel", form, "admin");
  return call("GET", `/channel/${id}`, undefined, "admin");
}

// S1.10 S2.05
flow("a channel that fails its check cannot be enabled", { as: "admin" }, async (page) => {
  const { id, name, version } = await makeChannel("unsafe-page", "http://h5.example.com/a");
  await call("PUT", "/channel/status", { id, version, status: "disabled" }, "admin");
  await visit(page, "/channel/list?keyword=unsafe-page");
  const row = page.locator("tbody tr", { hasText: name });
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "合规检测" }).click();
  const drawer = page.getByRole("dialog", { name: `“${name}”的检测结果` });
  await drawer.getByRole("listitem").filter({ hasText: "落地页使用 https 公网地址" }).getByText("不通过").waitFor();
  await axe(page);
  await drawer.getByRole("link", { name: "该对象的全部检测记录" }).click();
  await page.waitForURL(/\/admin\/test\?targetType=channel&targetId=\d+$/);
  await page.getByRole("heading", { level: 1, name: "合规检测" }).waitFor();
  const check = page.locator("tbody tr", { hasText: name });
  await check.getByText("落地页使用 https 公网地址").waitFor();
  await check.getByRole("link").click();
  await page.locator("#main").getByText(/^不通过：.*落地页使用 https 公网地址.*修正后请重新检测。$/).waitFor();
  await axe(page);
  await page.getByRole("link", { name: "打开渠道" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();

  await visit(page, "/channel/list?keyword=unsafe-page");
  await act(page, row, "启用");
  await page.getByRole("dialog").getByRole("button", { name: "启用" }).click();
  // The refusal names its cure and stays.
  await page.getByRole("alert").getByText("不通过：落地页使用 https 公网地址").waitFor();
  assert.equal((await call("GET", `/channel/${id}`, undefined, "admin")).status, "disabled");
});

flow("a script is checked as it is typed in", { as: "operator" }, async (page) => {
  await visit(page, "/admin/test");
  await page.locator(".ll-toolbar").getByRole("button", { name: "发起检测" }).click();
  const dialog = page.getByRole("dialog", { name: "发起检测" });
  await dialog.getByLabel("检测对象").selectOption({ label: "话术" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("必填").first().waitFor();
  await dialog.getByLabel("名称").fill("三月开场白");
  await dialog.getByLabel("文字内容").fill("本产品包过，先交费，年化利率 36%");
  await dialog.getByRole("button", { name: "保存" }).click();
  const main = page.locator("#main");
  await page.getByRole("heading", { level: 1, name: /^CC\d{8}-/ }).waitFor();
  await main.getByText("含禁用词：包过").waitFor();
  await main.getByText("年化利率 36.00% 高于上限 24.00%").waitFor();
  assert.equal(await main.getByText("有效期至").count(), 0, "a failed check is valid for nothing");
  await axe(page);
  await page.getByRole("link", { name: "返回合规检测" }).click();
  await page.locator("tbody tr", { hasText: "三月开场白" }).getByText("不通过", { exact: true }).waitFor();
});

flow("a rule is written and counts with the next check", { as: "admin" }, async (page) => {
  await visit(page, "/admin/test");
  await page.getByRole("link", { name: "检测规则" }).click();
  await page.getByRole("heading", { level: 1, name: "检测规则" }).waitFor();
  await page.locator(".ll-toolbar").getByRole("button", { name: "新增规则" }).click();
  const dialog = page.getByRole("dialog", { name: "新增规则" });
  await dialog.getByLabel("中文名称").fill("不施压");
  await dialog.getByLabel("英文名称").fill("No pressure");
  await dialog.getByLabel("编码").fill("no_pressure");
  await dialog.getByLabel("词语").fill("最后一天\n错过不再有");
  await dialog.getByLabel("不符合时").selectOption("warn");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "规则已保存");
  const found = await call("POST", "/compliance/check", { targetType: "script", name: "x", text: "最后一天！年化利率 12%" }, "admin");
  assert.equal(found.items.find(({ code }) => code === "no_pressure").result, "warn");
});
