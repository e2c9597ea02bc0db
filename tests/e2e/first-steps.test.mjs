/** An installation without data: what a form has none of is made over the form. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { environment } from "./demo.mjs";
import { axe, flow, hydrated, PASSWORD, serve, toast } from "./support.mjs";

const run = promisify(execFile);

flow(
  "an organisation and a payee are made over the form that needs them",
  { locale: "zh-CN", allow: [/^request to another host: http:\/\/127\.0\.0\.1:/] },
  async (page) => {
    const data = await mkdtemp(path.join(os.tmpdir(), "leadlane-empty-"));
    await run(process.env["BINARY"], ["admin", "create"], { env: { ...environment(data), LEADLANE_PASSWORD: PASSWORD } });
    const empty = await serve({ LEADLANE_DATA: data });
    try {
      await page.goto(`${empty.origin}/login`);
      await hydrated(page);
      await page.getByLabel("用户名").fill("admin");
      await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "登录" }).click();
      await page.waitForURL(/dashboard/);
      await page.goto(`${empty.origin}/finance/recharge`);
      await hydrated(page);
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
      await form.getByRole("button", { name: "提交申请" }).click();
      await toast(page, "充值已申请，等待审核");

      // A form of another area opens with the texts of that area.
      await page.goto(`${empty.origin}/user/list`);
      await hydrated(page);
      await page.getByRole("button", { name: "录入用户" }).first().click();
      const entry = page.getByRole("dialog", { name: "录入用户" });
      await entry.locator(".ll-field", { hasText: "还没有渠道" }).getByRole("button", { name: "新增" }).click();
      const channel = page.getByRole("dialog", { name: "新增渠道" });
      await channel.getByLabel("渠道编码").fill("first-channel");
      await channel.getByLabel("渠道名称").fill("官网");
      await channel.getByRole("button", { name: "保存" }).click();
      await page.getByRole("dialog", { name: /官网/ }).getByRole("button", { name: "我已保存" }).click();
      assert.match(await entry.getByRole("combobox", { name: "渠道" }).locator("option:checked").textContent(), /^官网/);
    } finally {
      await empty.stop();
      await rm(data, { recursive: true });
    }
  },
);
