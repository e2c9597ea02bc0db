/** The general settings and the dictionary, as operators work on them. */
import assert from "node:assert/strict";
import { axe, call, documentOf, flow, openPage, toast, until, visit } from "./support.mjs";

const section = (page, name) => page.getByRole("region", { name });

// S1.10 S2.05
flow("a setting is changed where it stands, within its bounds", { as: "admin" }, async (page) => {
  await visit(page, "/admin/setting");
  await page.getByRole("button", { name: "编辑“会话”" }).click();
  const sessions = section(page, "会话");
  const idle = sessions.getByLabel("闲置退出");
  assert.equal(await idle.inputValue(), "30");
  await idle.fill("4");
  await sessions.getByRole("button", { name: "保存" }).click();
  await sessions.getByRole("alert").getByText("应在 5 到 720 之间").waitFor();
  await axe(page);
  await idle.fill("45");
  await sessions.getByRole("button", { name: "保存" }).click();
  await toast(page, "设置已保存");
  await sessions.getByText("45 分钟").waitFor();

  await page.getByRole("button", { name: "编辑“会话”" }).click();
  await sessions.getByRole("button", { name: "恢复默认：30 分钟" }).click();
  assert.equal(await idle.inputValue(), "30");
  await sessions.getByRole("button", { name: "保存" }).click();
  await sessions.getByText("30 分钟").waitFor();
  const rows = (await call("GET", "/setting/list", undefined, "admin")).flatMap(({ settings }) => settings);
  assert.equal(rows.find(({ key }) => key === "session.idle_minutes").isSet, false);
});

flow("the roles that need a second factor are chosen, and what nobody touches stays as it is", { as: "admin" }, async (page) => {
  const held = async () => {
    const rows = (await call("GET", "/setting/list", undefined, "admin")).flatMap(({ settings }) => settings);
    return rows.find(({ key }) => key === "security.second_factor_roles");
  };
  // Stored in another order than that of the boxes.
  const { key, version } = await held();
  await call("PUT", "/setting", { changes: [{ key, value: ["channel_manager", "auditor"], version }] }, "admin");
  await visit(page, "/admin/setting");
  const security = section(page, "登录与密码");
  const edit = () => page.getByRole("button", { name: "编辑“登录与密码”" }).click();
  await edit();
  const roles = security.getByRole("group", { name: "必须两步验证的角色" });
  // A click on the title ticks no box.
  await security.getByText("必须两步验证的角色", { exact: true }).click();
  assert.deepEqual([await roles.getByLabel("超级管理员").isChecked(), await roles.getByLabel("审计").isChecked()], [false, true]);
  assert.equal(await roles.getByLabel("机构经理").count(), 0);
  await security.getByLabel("锁定时长").fill("16");
  await security.getByRole("button", { name: "保存" }).click();
  await toast(page, "设置已保存");
  assert.equal((await held()).version, version + 1, "it was not written again");
  await edit();
  await axe(page);
  await roles.getByLabel("审计").uncheck();
  await security.getByRole("button", { name: "保存" }).click();
  await security.getByRole("button", { name: "保存" }).waitFor({ state: "detached" });
  await security.getByText("渠道经理", { exact: true }).waitFor();
  assert.deepEqual((await held()).value, ["channel_manager"]);
  await edit();
  await security.getByRole("button", { name: "恢复默认：空" }).click();
  await security.getByRole("button", { name: "恢复默认：15 分钟" }).click();
  await security.getByRole("button", { name: "保存" }).click();
  // The form closes when it is saved; the toast of the save before may still be there.
  await security.getByRole("button", { name: "保存" }).waitFor({ state: "detached" });
  assert.deepEqual((await held()).value, []);
});

flow("on a narrow screen the question about what was typed stands before the menu", { as: "admin", width: 360 }, async (page) => {
  await visit(page, "/admin/setting");
  await page.getByRole("button", { name: "编辑“会话”" }).click();
  await section(page, "会话").getByLabel("闲置退出").fill("44");
  await page.getByRole("button", { name: "打开菜单" }).click();
  await page.getByRole("link", { name: "公告管理" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "放弃修改" }).click();
  await page.waitForURL("/admin/notice");
});

flow("a secret is written and never shown", { as: "admin" }, async (page) => {
  await visit(page, "/admin/setting");
  await page.getByRole("button", { name: "编辑“短信”" }).click();
  const sms = section(page, "短信");
  await sms.getByLabel("短信服务商密钥").fill("hush-hush-1");
  await sms.getByRole("button", { name: "保存" }).click();
  await sms.getByText(/^已设置（\d{4}-/).waitFor();
  assert.ok(!(await documentOf("/admin/setting", { as: "admin" })).text.includes("hush-hush"));
  await page.getByRole("button", { name: "编辑“短信”" }).click();
  assert.equal(await sms.getByLabel("短信服务商密钥").inputValue(), "");
  await sms.getByLabel("清除").check();
  await sms.getByRole("button", { name: "保存" }).click();
  await sms.getByText("未设置").waitFor();
});

flow("what somebody else has changed meanwhile is shown before it is overwritten", { as: "admin" }, async (page) => {
  await visit(page, "/admin/setting");
  await page.getByRole("button", { name: "编辑“线索”" }).click();
  const leads = section(page, "线索");
  const [dedup, buyers] = [leads.getByLabel("线索去重天数"), leads.getByLabel("共享线索最多机构数")];
  await dedup.fill("60");
  const changes = [
    { key: "lead.dedup_days", value: 45, version: 0 },
    { key: "lead.max_buyers", value: 2, version: 0 },
  ];
  await call("PUT", "/setting", { changes }, "admin");
  await leads.getByRole("button", { name: "保存" }).click();
  await leads.getByRole("alert").getByText("其他人刚刚修改了这些设置").waitFor();
  await until(async () => (await buyers.inputValue()) === "2", "the other person's value of a field that was not edited");
  assert.equal(await dedup.inputValue(), "60", "the edited field keeps its value");
  await leads.getByRole("button", { name: "保存" }).click();
  await leads.getByText("60 天").waitFor();
});

flow("settings are in the HTML, and not for whoever may only look to change", { as: "auditor" }, async (page) => {
  const { text, status } = await documentOf("/admin/setting", { as: "auditor" });
  assert.equal(status, 200);
  assert.ok(text.includes("闲置退出") && text.includes("30 分钟"));
  await visit(page, "/admin/setting");
  assert.equal(await page.getByRole("button", { name: /^编辑/ }).count(), 0);
});

flow("the settings and the dictionary hold on a narrow screen", { as: "admin", width: 360, height: 740 }, async (page) => {
  for (const address of ["/admin/setting", "/admin/dictionary?type=occupation"]) {
    await visit(page, address);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${address} is ${overflow} px too wide`);
  }
});

flow("a list of the dictionary is made, filled, used and removed", { as: "admin" }, async (page) => {
  await visit(page, "/admin/dictionary");
  await page.getByRole("button", { name: "新增字典", exact: true }).click();
  let dialog = page.getByRole("dialog", { name: "新增字典" });
  await dialog.getByLabel("编码").fill("Has Blanks");
  await dialog.getByLabel("中文名称").fill("回访结论");
  await dialog.getByLabel("英文名称").fill("Call outcomes");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("2 到 48 位小写字母").waitFor();
  await dialog.getByLabel("编码").fill("call_outcome");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "字典已保存");
  await page.getByRole("navigation", { name: "字典" }).getByRole("link", { name: /回访结论/ }).click();
  await page.getByText("没有符合条件的记录").waitFor();

  await page.locator(".ll-toolbar").getByRole("button", { name: "新增字典项" }).click();
  dialog = page.getByRole("dialog", { name: "新增字典项" });
  assert.equal(await dialog.getByRole("combobox", { name: "字典", exact: true }).locator("option:checked").textContent(), "回访结论");
  await dialog.getByRole("textbox", { name: "值", exact: true }).fill("interested");
  await dialog.getByLabel("中文").fill("有意向");
  await dialog.getByLabel("英文").fill("Interested");
  await dialog.getByLabel("标签颜色").selectOption("green");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "字典项已新增");
  const row = page.locator("tbody tr", { hasText: "interested" });
  await row.waitFor();
  const options = await call("GET", "/dict/options?type=call_outcome", undefined, "operator");
  assert.deepEqual(options.map(({ value, label }) => [value, label]), [["interested", "有意向"]]);

  await row.getByRole("button", { name: "编辑" }).click();
  dialog = page.getByRole("dialog", { name: "编辑字典项" });
  await dialog.getByLabel("状态").selectOption("disabled");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "字典项已保存");
  assert.deepEqual(await call("GET", "/dict/options?type=call_outcome", undefined, "operator"), []);

  await row.getByRole("button", { name: "删除" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "删除字典" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await page.getByRole("link", { name: /回访结论/ }).waitFor({ state: "detached" });
});

flow("a built-in item stays, and a second person sees the lists without scripts", { as: "admin" }, async (page) => {
  await visit(page, "/admin/dictionary?type=occupation");
  assert.equal(await page.getByRole("button", { name: "删除", exact: true }).count(), 0);
  const plain = await openPage({ as: "auditor", script: false });
  await plain.page.goto("/admin/dictionary");
  await plain.page.getByRole("link", { name: /职业/ }).click();
  await plain.page.getByRole("rowheader", { name: "公务员" }).waitFor();
  await plain.context.close();
});

flow("what a night would remove is counted before the days are saved", { as: "admin" }, async (page) => {
  await visit(page, "/admin/setting");
  await page.getByRole("button", { name: "编辑“合规”" }).click();
  const compliance = section(page, "合规");
  await compliance.getByLabel("用户资料保留").fill("179");
  const count = compliance.getByRole("button", { name: "预览今晚会清除的数量" }).first();
  await count.click();
  await compliance.getByText("天数超出允许的范围").waitFor();
  await compliance.getByLabel("用户资料保留").fill("180");
  assert.equal(await compliance.getByText("天数超出允许的范围").count(), 0);
  await count.click();
  await compliance.getByText("今晚没有要清除的").or(compliance.getByText(/^今晚会清除 \d+ 条，最早的是 /)).waitFor();
  await axe(page);
  await compliance.getByRole("button", { name: "取消" }).click();
  await page.getByRole("button", { name: "放弃修改" }).click();
  const rows = (await call("GET", "/setting/list", undefined, "admin")).flatMap(({ settings }) => settings);
  assert.equal(rows.find(({ key }) => key === "applicant.keep_days").isSet, false);
});
