/** /crm/saleman, /crm/team, /crm/pool-setting in the browser: a team, a salesperson, a departure with its hand-over. */
import assert from "node:assert/strict";

import { act, axe, call, choosePlaces, flow, toast, visit } from "./support.mjs";

const rowOf = (page, name) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) });

flow("a team is made, changed, and not disabled while people work in it", { as: "north.manager" }, async (page) => {
  await visit(page, "/crm/team");
  await page.getByRole("button", { name: "新增团队" }).click();
  const dialog = page.getByRole("dialog", { name: "新增团队" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填", { exact: true }).waitFor();
  await dialog.getByLabel("团队", { exact: false }).first().fill("苏州团队");
  await dialog.getByLabel("负责人").fill("金鑫");
  await dialog.getByLabel("联系电话").fill("13812340001");
  await choosePlaces(page, "接收城市", ["suzhou", "苏州市"], ["wx", "无锡市"]);
  await dialog.getByLabel("每日上限").fill("15");
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "团队已新增");
  await visit(page, "/crm/team?keyword=苏州");
  const row = rowOf(page, "苏州团队");
  await row.getByText("138****0001").waitFor();
  await row.getByText("0 / 15").waitFor();
  await row.getByText("苏州市、无锡市").waitFor();
  await act(page, row, "修改");
  const edit = page.getByRole("dialog", { name: "修改团队" });
  await edit.getByLabel("每日上限").fill("");
  await edit.getByRole("button", { name: "保存" }).click();
  await toast(page, "团队已保存");
  await row.getByText("0 / 不限").waitFor();

  await visit(page, "/crm/team?keyword=上海");
  await act(page, rowOf(page, "上海团队"), "修改");
  await edit.getByLabel("状态").selectOption("disabled");
  await edit.getByRole("button", { name: "保存" }).click();
  await edit.getByText(/团队还有3 名未离职的销售人员/).waitFor();
});

flow("an account becomes a salesperson, goes away, and leaves with a hand-over", { as: "south.manager" }, async (page) => {
  const me = await call("GET", "/crm/get", undefined, "south.manager");
  const teams = await call("GET", `/org/subOptions?orgId=${me.orgId}`, undefined, "south.manager");
  const [role] = (await call("GET", "/role/options", undefined, "south.manager")).filter(({ label }) => label === "机构销售");
  await call("POST", "/admin", { username: "south.new", realName: "新同事", orgId: me.orgId, subOrgId: teams[0].value, roleIds: [role.value] }, "south.manager");
  await visit(page, "/crm/saleman");
  await page.getByRole("button", { name: "新增销售人员" }).click();
  const dialog = page.getByRole("dialog", { name: "新增销售人员" });
  await dialog.getByRole("option", { name: "新同事 (south.new)" }).waitFor({ state: "attached" });
  await dialog.getByLabel("账号").selectOption({ label: "新同事 (south.new)" });
  await dialog.getByLabel("级别").selectOption("senior");
  await dialog.getByLabel("持有上限").fill("50");
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "销售人员已新增");

  await visit(page, "/crm/saleman?keyword=新同事");
  const row = rowOf(page, "新同事");
  await row.getByText("0 / 50").waitFor();
  await act(page, row, "休假");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "休假" }).click();
  await toast(page, "已设为休假");
  await row.getByText("休假").waitFor();
  await act(page, row, "返岗");
  await toast(page, "已在职，并开始接收线索");

  // Someone who holds clues leaves: they go to the new colleague.
  const people = (await call("POST", "/crm/salesperson/page", { sort: "held", pageSize: 200 }, "south.manager")).list;
  const [leaver] = people;
  assert.ok(leaver.held > 0 && leaver.held < 50, `${leaver.name} holds ${leaver.held}`);
  await visit(page, `/crm/saleman?keyword=${leaver.username}`);
  await act(page, rowOf(page, leaver.name), "办理离职");
  const leave = page.getByRole("dialog", { name: `${leaver.name} 离职` });
  await leave.getByText(`${leaver.name} 还有 ${leaver.held} 条进行中的线索`).waitFor();
  await leave.getByLabel("移交给").selectOption({ label: `新同事 · ${teams[0].label}` });
  await axe(page);
  await leave.getByRole("button", { name: "办理离职" }).click();
  await toast(page, "已离职，线索已移交");
  await rowOf(page, leaver.name).getByText("离职", { exact: true }).waitFor();
  const [heir] = (await call("POST", "/crm/salesperson/page", { keyword: "south.new" }, "south.manager")).list;
  assert.equal(heir.held, leaver.held);
});

flow("a pool gets its terms, and the last one stays", { as: "north.manager" }, async (page) => {
  await visit(page, "/crm/pool-setting");
  const row = rowOf(page, "一队专用池");
  await act(page, row, "修改");
  const dialog = page.getByRole("dialog", { name: "修改公海池" });
  await dialog.getByLabel("回收天数").fill("2");
  await dialog.getByLabel("回收提醒（天）").fill("2");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("应小于回收天数").waitFor();
  await dialog.getByLabel("回收提醒（天）").fill("1");
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "公海池已保存");
  await act(page, row, "停用");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "停用" }).click();
  await toast(page, "公海池已停用");
  await act(page, rowOf(page, "公共池"), "停用");
  await page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name: "停用" }).click();
  await page.getByText("这是该机构唯一启用的公海池，不能停用或删除").waitFor();
});

flow("a team lead sees the own team alone, and the tabs of all three pages", { as: "north.lead" }, async (page) => {
  await visit(page, "/crm/saleman");
  assert.equal(await page.locator("tbody tr").count(), 3);
  await page.getByRole("navigation", { name: "销售人员" }).getByRole("link", { name: "团队" }).click();
  await page.waitForURL(/\/crm\/team/);
  await rowOf(page, "上海团队").waitFor();
  assert.equal(await page.locator("tbody tr").count(), 1);
  assert.equal(await page.getByRole("button", { name: "新增团队" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "修改" }).count(), 0);
});

flow("salespeople, teams and pools have pages of their own", { as: "north.manager" }, async (page) => {
  const [person] = (await call("POST", "/crm/salesperson/page", { sort: "held", employed: "yes" }, "north.manager")).list;
  await visit(page, "/crm/saleman?employed=yes&sort=held");
  await page.getByRole("rowheader", { name: person.name }).getByRole("link").click();
  await page.waitForURL(`**/crm/saleman/${person.id}`);
  await page.getByRole("heading", { name: person.name, level: 1 }).waitFor();
  await page.getByRole("link", { name: "操作记录" }).or(page.getByRole("link", { name: "历史" })).click();
  await page.waitForURL(/tab=history/);
  await axe(page);
  await page.getByRole("link", { name: "返回销售人员" }).click();
  await page.waitForURL(/employed=yes/);
  // The counts of clues and of team members agree with the lists.
  await rowOf(page, person.name).locator('a[href*="ownerId="]').first().click();
  await page.waitForURL(/ownerId=/);
  await page.getByText(`共 ${person.held} 条`).waitFor();
  const [team] = (await call("POST", "/crm/subOrgPage", {}, "north.manager")).list;
  await visit(page, `/crm/team/${team.id}`);
  await axe(page);
  await page.getByRole("link", { name: String(team.people), exact: true }).first().click();
  await page.waitForURL(/subOrgId=/);
  assert.equal(await page.locator("tbody tr").count(), team.people);
  const [pool] = (await call("POST", "/crm/pool/page", {}, "north.manager")).list;
  await visit(page, `/crm/pool-setting/${pool.id}`);
  await axe(page);
});

flow("the lists fit a phone", { as: "north.manager", width: 360, height: 740 }, async (page) => {
  for (const address of ["/crm/saleman", "/crm/team", "/crm/pool-setting", "/crm/money-days"]) {
    await visit(page, address);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${address} is ${width} wide`);
    await axe(page);
  }
});

flow("without scripts the list is there, and its filters work", { as: "north.manager", script: false }, async (page) => {
  await page.goto("/crm/saleman");
  assert.equal(await page.locator("tbody tr").count(), 9);
  await page.getByLabel("状态").first().selectOption("away");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await page.waitForURL(/status=away/);
  assert.equal(await page.locator("tbody tr", { has: page.getByRole("rowheader", { name: "马丽" }) }).count(), 0);
  await page.goto("/crm/saleman");
  await page.locator("tbody th a").first().click();
  await page.waitForURL(/\/crm\/saleman\/\d+$/);
  await page.locator("h1").waitFor();
});
