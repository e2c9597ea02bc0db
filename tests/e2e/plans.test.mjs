/** /plan/list in the browser: a plan's whole life, with its terms, prices and caps. */
import assert from "node:assert/strict";

import { axe, call, choosePlaces, flow, showColumns, toast, visit } from "./support.mjs";

const rowOf = (page, name) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) });

/** An organisation that may buy, by its short name. */
async function buyer() {
  const { list } = await call("POST", "/org/page", { keyword: "north-star" }, "admin");
  return list[0];
}

/** A draft of North Star. */
async function draft(name, changes = {}, author = "admin") {
  const { id } = await buyer();
  return call("POST", "/plan", {
    name, orgId: id, deliverMode: "crm", saleMode: "exclusive", priceCents: 3000, methodPriority: 10, weight: 1, exposureWeight: 1,
    outOfSchedule: "skip", matchRequired: false, ...changes,
  }, author);
}

flow("a new plan: its terms are edited, and what is wrong is said at its field", { as: "admin" }, async (page) => {
  await showColumns(page, "/plan", "saleMode");
  const { name: organisation } = await buyer();
  await visit(page, "/plan/list");
  await page.getByRole("link", { name: "新增计划" }).click();
  const dialog = page.getByRole("form", { name: "新增计划" });
  const name = dialog.getByLabel("计划名称");
  await name.waitFor();
  await dialog.getByRole("link", { name: "渠道", exact: true }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "渠道");
  assert.equal(new URL(page.url()).hash, "", "the index adds nothing to the history");
  // The first wrong field has the focus, and is out of sight.
  await name.focus();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填", { exact: true }).first().waitFor();
  await dialog.getByText("2 项需要修改").waitFor();
  await name.evaluate((input) => new Promise((seen) => new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && seen()).observe(input)));
  await dialog.getByLabel("计划名称").fill("手工计划");
  await dialog.getByLabel("机构").first().selectOption({ label: organisation });
  await dialog.getByLabel("单价").first().fill("45.5");
  await dialog.getByLabel("售卖方式").selectOption("shared");
  await dialog.getByLabel("最多买家").fill("1");

  const prices = dialog.getByRole("group", { name: "按条件定价" });
  await prices.getByRole("button", { name: "添加价格" }).click();
  await prices.getByLabel("第 1 条的价格").fill("60");
  await prices.getByLabel("条件 1：字段").selectOption({ label: "房产" });
  await prices.getByLabel("条件 1：比较").selectOption({ label: "有无" });
  await prices.getByText("有房：60 元").waitFor();
  await dialog.getByRole("button", { name: "添加量控" }).click();
  await dialog.getByLabel("量控 1：数量").fill("20");
  await choosePlaces(page, "投放城市", ["sh", "上海市"], ["hangzhou", "杭州市"], ["海南", "海南省（全部）"]);
  await dialog.getByRole("button", { name: "移除 三沙市" }).click();
  await dialog.getByLabel("接收的渠道").selectOption("除这些以外");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").filter({ hasText: "5" }).waitFor();
  await dialog.getByRole("alert").filter({ hasText: "请选择" }).waitFor();
  await axe(page);
  // A wrong field that is hidden is shown again, so that it can be corrected.
  await dialog.getByLabel("最多买家").fill("9");
  await dialog.getByLabel("售卖方式").selectOption("exclusive");
  await dialog.getByLabel("最多买家").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByLabel("最多买家").waitFor();
  await dialog.getByLabel("售卖方式").selectOption("shared");
  await dialog.getByLabel("最多买家").fill("3");
  await dialog.getByRole("combobox", { name: "禁止的渠道" }).click();
  await page.getByRole("listbox", { name: "禁止的渠道" }).getByRole("option").first().click();
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "计划已新增");
  await page.getByRole("heading", { level: 1, name: "手工计划" }).waitFor();

  await visit(page, "/plan/list?keyword=手工计划");
  const row = rowOf(page, "手工计划");
  await row.getByText("草稿").waitFor();
  await row.getByRole("cell", { name: "45.50" }).waitFor();
  await row.getByText("共享（最多 3 家）").waitFor();
  await row.getByText("0 / 20").waitFor();
  await row.getByRole("link", { name: "手工计划", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "手工计划" }).waitFor();
  const main = page.locator("#main");
  await main.getByText("草稿：不接收线索。").waitFor();
  await main.getByText("每天最多 20 条").first().waitFor();
  await main.getByText(/上海市、杭州市、海口市、三亚市、儋州市/).first().waitFor();
  await axe(page);
});

flow("a plan is handed in, rejected, approved, paused, resumed and ended", { as: "admin" }, async (page) => {
  // The author would have no button to decide on it.
  await draft("流程计划", {}, "operator");
  await visit(page, "/plan/list?keyword=流程计划");
  const row = rowOf(page, "流程计划");
  const status = row.locator("td .ll-tag").first();
  const act = async (name) => {
    const button = row.getByRole("button", { name, exact: true });
    if (await button.count()) return button.click();
    await row.getByRole("button", { name: "更多" }).click();
    return page.getByRole("menuitem", { name, exact: true }).click();
  };
  const agree = async (name, message = "计划状态已更新") => {
    await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name, exact: true }).click();
    await toast(page, message);
  };
  await act("提交审核");
  await agree("提交审核");
  await status.filter({ hasText: "待审" }).waitFor();
  await act("驳回");
  await page.getByLabel("驳回原因").fill("单价低于底价");
  await agree("驳回", "计划已驳回");
  await status.filter({ hasText: "已驳回" }).waitFor();
  await row.getByText("单价低于底价").waitFor();
  await act("退回草稿");
  await agree("退回草稿");
  await status.filter({ hasText: "草稿" }).waitFor();
  await act("提交审核");
  await agree("提交审核");
  await status.filter({ hasText: "待审" }).waitFor();
  await act("通过");
  await agree("通过");
  await status.filter({ hasText: "投放中" }).waitFor();
  await act("暂停");
  await agree("暂停");
  await status.filter({ hasText: "已暂停" }).waitFor();
  await row.getByText("手动暂停").waitFor();
  await act("恢复");
  await agree("恢复");
  await status.filter({ hasText: "投放中" }).waitFor();
  await act("结束");
  await agree("结束");
  await status.filter({ hasText: "已结束" }).waitFor();
  assert.equal(await row.getByRole("button", { name: "编辑" }).count(), 0);
});

flow("nobody is offered to approve his own plan, and is told who has to", { as: "admin" }, async (page) => {
  await showColumns(page, "/plan", "decision");
  const plan = await draft("自己的计划");
  await call("PUT", "/plan/status", { id: plan.id, version: plan.version, status: "pending" }, "admin");
  await visit(page, "/plan/list?keyword=自己的计划");
  const row = rowOf(page, "自己的计划");
  await row.getByText(/^待复核（.+提交，须他人审核）$/).first().waitFor();
  assert.equal(await row.getByRole("button", { name: "通过", exact: true }).count(), 0);
});

flow("another price of a running plan waits for somebody else, who sees what it is", { as: "admin" }, async (page) => {
  await showColumns(page, "/plan", "decision");
  const plan = await draft("变更计划", {}, "operator");
  const pending = await call("PUT", "/plan/status", { id: plan.id, version: plan.version, status: "pending" }, "operator");
  const running = await call("PUT", "/plan/audit", { id: plan.id, version: pending.version, approve: true }, "admin");
  await call("PUT", "/plan", {
    id: plan.id, version: running.version, name: plan.name, orgId: plan.orgId, deliverMode: "crm", saleMode: "exclusive", priceCents: 5200,
    methodPriority: 10, weight: 1, exposureWeight: 1, outOfSchedule: "skip", matchRequired: false,
  }, "operator");
  await visit(page, "/plan/list?keyword=变更计划");
  const row = rowOf(page, "变更计划");
  await row.getByText(/^变更待复核（.+提交，须他人审核）$/).waitFor();
  await row.getByRole("cell", { name: "30.00", exact: true }).waitFor();
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "通过变更" }).click();
  const question = page.getByRole("alertdialog").or(page.getByRole("dialog")).last();
  await question.getByText("52.00").waitFor();
  await axe(page);
  await question.getByRole("button", { name: "通过变更" }).click();
  await toast(page, "变更已通过");
  await row.getByRole("cell", { name: "52.00", exact: true }).waitFor();
  await row.getByText("投放中").waitFor();
});

flow("what is asked of a plan stays asked for when something else of it is edited", { as: "admin" }, async (page) => {
  const plan = await draft("再改计划", {}, "operator");
  const pending = await call("PUT", "/plan/status", { id: plan.id, version: plan.version, status: "pending" }, "operator");
  await call("PUT", "/plan/audit", { id: plan.id, version: pending.version, approve: true }, "admin");
  const row = rowOf(page, "再改计划");
  const edit = async (field, value, note, message) => {
    // The row of a page that is opened again has the changes before; one that is read again has them a moment after the message.
    await visit(page, "/plan/list?keyword=再改计划");
    await row.getByRole("button", { name: "编辑" }).click();
    const dialog = page.getByRole("form", { name: "编辑计划" });
    await dialog.getByText(note).waitFor();
    await page.locator(".app-tabs [aria-current]", { hasText: "编辑计划 · 再改计划" }).waitFor();
    await dialog.getByLabel(field).first().fill(value);
    await dialog.getByRole("button", { name: "保存" }).click();
    await toast(page, message);
  };
  await edit("单价", "41", "其余投放条件须另一人审核后生效", "投放条件的变更待另一人审核");
  await edit("去重天数", "15", "有变更待审核", "投放条件的变更待另一人审核");
  await edit("备注", "已电话沟通", "有变更待审核", "计划已保存");
  const { change, priceCents, remark } = await call("GET", `/plan/${plan.id}`, undefined, "admin");
  assert.deepEqual([priceCents, remark, change.priceCents, change.dedupDays], [3000, "已电话沟通", 4100, 15]);
  // The page of the plan begins with the requested terms, beside those in force.
  await visit(page, `/plan/list/${plan.id}`);
  const asked = page.locator(".ll-record .ll-details > div", { hasText: "单价（元）" });
  assert.match(await asked.innerText(), /41\.00\s+30\.00/);
  await axe(page);

  // The history has the refusal and the reason.
  const { version } = await call("GET", `/plan/${plan.id}`, undefined, "director");
  await call("PUT", "/plan/audit", { id: plan.id, version, approve: false, note: "单价过高" }, "director");
  await visit(page, "/plan/list?keyword=再改计划");
  await row.getByRole("link", { name: "再改计划", exact: true }).click();
  await page.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await page.getByText("变更审核: - → 驳回").waitFor();
  await page.getByText("审核说明: - → 单价过高").waitFor();
});

flow("of two who edit one plan the second is shown what the first changed", { as: "admin" }, async (page) => {
  const plan = await draft("两人计划");
  await visit(page, "/plan/list?keyword=两人计划");
  await rowOf(page, "两人计划").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("form", { name: "编辑计划" });
  await dialog.getByLabel("备注").fill("第二个人写的");
  const { orgId } = plan;
  await call("PUT", "/plan", {
    id: plan.id, version: plan.version, name: plan.name, orgId, deliverMode: "crm", saleMode: "exclusive", priceCents: 5200,
    methodPriority: 10, weight: 1, exposureWeight: 1, outOfSchedule: "skip", matchRequired: false,
  }, "operator");
  await dialog.getByRole("button", { name: "保存" }).click();
  await page.getByText("52.00").first().waitFor();
});

flow("a plan is copied into a draft of its own", { as: "admin" }, async (page) => {
  await draft("原计划", { cities: ["上海市"] });
  await visit(page, "/plan/list?keyword=原计划");
  const row = rowOf(page, "原计划");
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "复制计划" }).click();
  const dialog = page.getByRole("form", { name: "复制计划" });
  await dialog.getByRole("button", { name: "移除 上海市" }).waitFor();
  await dialog.getByLabel("计划名称").fill("原计划 副本");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "计划已新增");
  await page.getByRole("heading", { level: 1, name: "原计划 副本" }).waitFor();
  await page.goBack();
  await rowOf(page, "原计划 副本").getByText("草稿").waitFor();
});

flow("other terms are tried on past leads, and go into the form of the plan", { as: "admin" }, async (page) => {
  const { list } = await call("POST", "/plan/page", { status: "running", pageSize: 1 }, "admin");
  const [plan] = list;
  await visit(page, `/plan/list?keyword=${plan.no}`);
  const row = rowOf(page, plan.name);
  await row.getByRole("button", { name: "试算", exact: true }).click();
  const form = page.getByRole("dialog", { name: `在过往线索上试算：${plan.name}` });
  await form.getByLabel("回看天数").fill("15");
  await form.getByRole("button", { name: "开始试算" }).click();
  await form.getByRole("alert").first().waitFor();
  await form.getByLabel("回看天数").fill("14");
  await form.getByLabel("单价").first().fill("88");
  await form.getByRole("button", { name: "开始试算" }).click();
  const result = page.getByRole("dialog", { name: `试算结果：${plan.name}` });
  await result.getByRole("row", { name: /全部计划合计/ }).waitFor();
  await result.getByRole("group", { name: "收入、渠道成本与毛利" }).getByRole("row", { name: /毛利/ }).waitFor();
  await axe(page);
  await result.getByRole("button", { name: "按此修改计划" }).click();
  const edit = page.getByRole("form", { name: "编辑计划" });
  await edit.getByLabel("单价").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".ll-form-page input[name=priceCents]")?.value === "88");
});
