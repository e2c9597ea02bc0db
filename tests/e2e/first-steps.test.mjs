/** An installation without data: the first steps lead to the first sale, and what a form has none of is made over the form. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { environment } from "./demo.mjs";
import { act, axe, flow, hydrated, openPage, PASSWORD, serve, toast, until, visit } from "./support.mjs";

const run = promisify(execFile);

/** A test's second server is another host than that of the file's tests. */
const OTHER_SERVER = [/^request to another host: http:\/\/127\.0\.0\.1:/];

/** Starts a server on what `admin create` leaves. */
async function emptyInstallation() {
  const data = await mkdtemp(path.join(os.tmpdir(), "leadlane-empty-"));
  await run(process.env["BINARY"], ["admin", "create"], { env: { ...environment(data), LEADLANE_PASSWORD: PASSWORD } });
  const { origin, stop } = await serve({ LEADLANE_DATA: data });
  return {
    origin,
    stop: async () => {
      await stop();
      await rm(data, { recursive: true });
    },
  };
}

async function signIn(page, origin, name, password) {
  await visit(page, `${origin}/login`);
  await page.getByLabel("用户名").fill(name);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await page.waitForURL((url) => url.pathname !== "/login");
}

flow(
  "an organisation and a payee are made over the form that needs them",
  { locale: "zh-CN", allow: OTHER_SERVER },
  async (page) => {
    const empty = await emptyInstallation();
    try {
      await signIn(page, empty.origin, "admin", PASSWORD);
      await visit(page, `${empty.origin}/finance/recharge`);
      await page.getByRole("button", { name: "申请充值" }).first().click();
      const form = page.getByRole("dialog", { name: "申请充值" });
      await form.getByLabel("充值金额").fill("500");
      await form.getByLabel("流水号").fill("20260101");

      const noOrg = form.locator(".ll-field", { hasText: "还没有机构" });
      await noOrg.getByRole("button", { name: "新增" }).click();
      const org = page.getByRole("dialog", { name: "新增机构" });
      await org.getByLabel("机构编码").fill("first-org");
      await org.getByLabel("机构名称").fill("第一家机构");
      await org.getByLabel("简称").fill("第一家");
      await org.getByLabel("机构类型").selectOption("助贷中介");
      await axe(page);
      await org.getByLabel("简称").press("Control+Enter");
      await org.waitFor({ state: "detached" });
      assert.equal(await form.getByRole("combobox", { name: "机构" }).locator("option:checked").textContent(), "第一家机构");

      await form.locator(".ll-field", { hasText: "还没有收款主体" }).getByRole("button", { name: "新增" }).click();
      const payee = page.getByRole("dialog", { name: "新增收款主体" });
      await payee.getByLabel("主体名称").fill("平台公司");
      await payee.getByLabel("税号").fill("91310000MA1FL00000");
      await payee.getByLabel("开户行").fill("招商银行");
      await payee.getByLabel("银行账号").fill("6225880000000000");
      await payee.getByRole("button", { name: "保存" }).click();
      await payee.waitFor({ state: "detached" });
      assert.equal(await form.getByRole("combobox", { name: "收款主体" }).locator("option:checked").textContent(), "平台公司");
      // What was typed before is still there, and nothing was sent meanwhile.
      assert.equal(await form.getByLabel("充值金额").inputValue(), "500");
      await form.getByText("目前没有其他人有此权限").waitFor();
      await form.getByRole("button", { name: "提交申请" }).click();
      await toast(page, "充值已申请，等待审核");
      // No other account may approve it: the row says so, and where to make an account.
      await page.getByRole("row", { name: /第一家机构/ }).getByRole("link", { name: "新增管理员" }).waitFor();

      // A form of another area opens with the texts of that area.
      await visit(page, `${empty.origin}/user/list`);
      await page.getByRole("link", { name: "录入用户" }).first().click();
      const entry = page.getByRole("form", { name: "录入用户" });
      await entry.locator(".ll-field", { hasText: "还没有渠道" }).getByRole("button", { name: "新增" }).click();
      const channel = page.getByRole("dialog", { name: "新增渠道" });
      await channel.getByLabel("渠道编码").fill("first-channel");
      await channel.getByLabel("渠道名称").fill("官网");
      await channel.getByRole("button", { name: "保存" }).click();
      await page.getByRole("dialog", { name: /官网/ }).getByRole("button", { name: "我已保存" }).click();
      assert.match(await entry.getByRole("combobox", { name: "渠道" }).locator("option:checked").textContent(), /^官网/);

      // So does a group of boxes.
      await visit(page, `${empty.origin}/chat/manage`);
      await page.getByRole("button", { name: "新增客服" }).first().click();
      const agent = page.getByRole("dialog", { name: "新增客服" });
      await agent.locator(".ll-field", { hasText: "没有启用的分组" }).getByRole("button", { name: "新增" }).click();
      const group = page.getByRole("dialog", { name: "新增分组" });
      await group.getByLabel("分组", { exact: false }).first().fill("售前");
      await group.getByRole("button", { name: "保存" }).click();
      await group.waitFor({ state: "detached" });
      assert.equal(await agent.getByRole("checkbox", { name: "售前" }).isChecked(), true);
    } finally {
      await empty.stop();
    }
  },
);

flow("the first steps lead from an empty installation to a first sale, without a refusal", { locale: "zh-CN", allow: OTHER_SERVER }, async (page) => {
  const empty = await emptyInstallation();
  const { origin } = empty;
  const refusals = [];
  const listen = (of) =>
    of.on("response", async (response) => {
      if (!response.url().includes("/api/") || !response.headers()["content-type"]?.includes("json")) return;
      const { code, desc } = await response.json().catch(() => ({ code: "0000" }));
      if (code !== "0000") refusals.push(`${new URL(response.url()).pathname}: ${desc}`);
    });
  listen(page);
  let second;
  try {
    await signIn(page, origin, "admin", PASSWORD);
    const card = page.getByRole("region", { name: "从这里开始：卖出第一条线索" });
    const states = async () => {
      await visit(page, `${origin}/dashboard/workplace`);
      return card.getByRole("listitem").evaluateAll((items) => items.map((item) => item.lastElementChild.textContent));
    };
    await card.waitFor();
    await axe(page);
    const save = async (dialog, name = "保存") => {
      await dialog.getByRole("button", { name, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    /** Opens the place of a step from the card. */
    const goTo = async (title) => {
      await card.getByRole("listitem").filter({ hasText: title }).getByRole("link").click();
      await page.waitForURL((url) => !url.pathname.startsWith("/dashboard"));
      await hydrated(page);
    };
    const press = (name) => page.getByRole("button", { name, exact: true }).first().click();
    const dialogOf = (name) => page.getByRole("dialog", { name });

    assert.deepEqual(await states(), Array(8).fill("去办理"));
    await goTo("第二位审核人");
    await press("新增管理员");
    const account = dialogOf("新增管理员");
    await account.getByLabel("用户名").fill("wang.fang");
    await account.getByLabel("姓名").fill("王芳");
    await account.getByLabel("业务总监").check();
    await save(account);
    const given = dialogOf("“wang.fang”的初始密码");
    const firstPassword = await given.locator("code").last().textContent();
    await given.getByRole("button", { name: "我已保存" }).click();

    assert.deepEqual(await states(), ["已完成", ...Array(7).fill("去办理")]);
    await goTo("收款主体");
    await press("新增收款主体");
    const payee = dialogOf("新增收款主体");
    await payee.getByLabel("主体名称").fill("平台公司");
    await payee.getByLabel("税号").fill("91310000MA1FL00000");
    await payee.getByLabel("开户行").fill("招商银行");
    await payee.getByLabel("银行账号").fill("6225880000000000");
    await save(payee);

    await states();
    await goTo("买线索的机构");
    await press("新增机构");
    const org = dialogOf("新增机构");
    await org.getByLabel("机构编码").fill("first-org");
    await org.getByLabel("机构名称").fill("第一家机构");
    await org.getByLabel("简称").fill("第一家");
    await org.getByLabel("机构类型").selectOption("助贷中介");
    await org.getByLabel("模式").selectOption("正式");
    await org.getByLabel("许可证号").fill("XK-2026-001");
    await org.getByLabel("许可证有效期").fill("2099-12-31");
    await save(org);
    assert.equal((await states())[2], "继续");
    await goTo("登记许可证");
    await act(page, page.getByRole("row", { name: /第一家机构/ }), "启用");
    const activation = dialogOf("启用机构“第一家机构”？");
    await axe(page);
    await activation.getByRole("button", { name: "合规检测" }).click();
    await save(activation, "启用");
    await toast(page, "机构状态已更新");

    assert.equal((await states())[2], "已完成");
    await goTo("机构的余额");
    await press("申请充值");
    const recharge = dialogOf("申请充值");
    await recharge.getByLabel("充值金额").fill("500");
    await recharge.getByLabel("流水号").fill("20260101");
    await save(recharge, "提交申请");

    assert.equal((await states())[3], "继续");
    await goTo("买线索：录入后提交审核");
    await page.getByRole("link", { name: "新增计划", exact: true }).first().click();
    const plan = page.getByRole("form", { name: "新增计划" });
    await plan.getByLabel("计划名称").fill("第一个计划");
    await plan.getByRole("combobox", { name: "机构", exact: true }).selectOption("第一家机构");
    await plan.getByLabel("单价").fill("30");
    await save(plan);
    await page.getByRole("heading", { level: 1, name: "第一个计划" }).waitFor();
    await press("提交审核");
    await dialogOf("提交“第一个计划”？").getByRole("button", { name: "提交审核" }).click();
    await toast(page, "计划状态已更新");

    await states();
    await goTo("送来申请人的渠道");
    await press("新增渠道");
    const channel = dialogOf("新增渠道");
    await channel.getByLabel("渠道编码").fill("first-channel");
    await channel.getByLabel("渠道名称").fill("官网");
    await save(channel);
    await dialogOf(/官网/).getByRole("button", { name: "我已保存" }).click();
    assert.equal((await states())[5], "继续");
    await goTo("测试模式");
    await act(page, page.getByRole("row", { name: /官网/ }), "转为正式");
    await dialogOf(/^把渠道/).getByRole("button", { name: "测试线索" }).click();
    await save(dialogOf(/的测试线索$/), "开始测试");
    await page.getByText("全部通过，可以转为正式").waitFor();
    await page.keyboard.press("Escape");
    await dialogOf(/^把渠道/).getByRole("button", { name: "转为正式" }).click();
    await toast(page, "渠道模式已更新");

    await states();
    await goTo("授权书");
    await press("新增授权书");
    const agreement = dialogOf("新增授权书");
    await agreement.getByLabel("编码").fill("LOAN");
    await agreement.getByLabel("版本").fill("1");
    await agreement.getByLabel("名称").fill("个人信息授权书");
    await agreement.getByLabel("全文").fill("我同意把申请资料提供给合作机构。");
    await save(agreement);
    assert.deepEqual(await states(), ["已完成", "已完成", "已完成", "继续", "继续", "已完成", "已完成", "去办理"]);

    second = await openPage({ locale: "zh-CN", allow: OTHER_SERVER });
    listen(second.page);
    await signIn(second.page, origin, "wang.fang", firstPassword);
    const director = second.page;
    const change = director.getByRole("dialog", { name: "修改密码" });
    await change.getByLabel("当前密码").fill(firstPassword);
    await change.getByLabel("新密码", { exact: true }).fill("Quiet-River-42");
    await change.getByLabel("再次输入新密码").fill("Quiet-River-42");
    await change.getByRole("button", { name: "保存" }).click();
    await change.waitFor({ state: "detached" });
    for (const [work, name, question] of [
      ["待审核的充值", /第一家机构/, "通过"],
      ["待审核的计划", /第一个计划/, "通过"],
    ]) {
      await visit(director, `${origin}/dashboard/workplace`);
      await director.getByRole("link", { name: work }).click();
      await hydrated(director);
      await act(director, director.getByRole("row", { name }), question);
      await director.getByRole("dialog").or(director.getByRole("alertdialog")).getByRole("button", { name: question, exact: true }).click();
      await director.locator(".ll-toast").first().waitFor();
    }
    assert.deepEqual(await states(), [...Array(7).fill("已完成"), "去办理"]);

    await goTo("第一位申请人");
    await page.getByRole("link", { name: "录入用户" }).first().click();
    const entry = page.getByRole("form", { name: "录入用户" });
    await entry.getByRole("combobox", { name: "渠道" }).selectOption("官网");
    await entry.getByLabel("手机号").fill("13900000001");
    await entry.getByLabel("姓名").fill("李小四");
    await entry.getByRole("combobox", { name: "授权书" }).selectOption({ index: 1 });
    await entry.getByRole("button", { name: "录入", exact: true }).click();
    const result = dialogOf(/^录入结果/);
    await result.getByText("已录入，正在寻找合适的计划。").waitFor();
    await result.getByRole("button", { name: "关闭" }).last().click();
    await result.waitFor({ state: "detached" });
    await until(async () => (await states()).length === 0, "the end of the first steps: a lead is sold");
  } finally {
    await second?.context.close();
    await empty.stop();
  }
  assert.deepEqual(refusals, []);
});
