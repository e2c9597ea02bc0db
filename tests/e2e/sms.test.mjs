/** Short messages in the browser: their states, retries, giving up, tests; and their route. */
import assert from "node:assert/strict";

import { act, axe, call, flow, toast, until, visit } from "./support.mjs";

const rowOf = (page, text) => page.locator("tbody tr", { hasText: text });
const dialogOf = (page, name) => page.getByRole("dialog", { name });

/** The messages of a state, the newest first. */
const listed = async (state) => (await call("POST", "/sms/page", { state, pageSize: 200 }, "operator")).list;

flow("the counts on the server's page lead to the messages that they count", { as: "operator" }, async (page) => {
  await visit(page, "/dashboard/server");
  await page.getByText("短信以明文写入日志文件").waitFor();
  const failed = await listed("failed");
  assert.ok(failed.length > 0);
  await page.locator("dl > div", { hasText: "短信发送失败" }).getByRole("link", { name: String(failed.length), exact: true }).click();
  await page.waitForURL(/\/admin\/sms\?state=failed/);
  await page.getByText(`共 ${failed.length} 条`).waitFor();
  assert.equal(await page.getByLabel("状态").inputValue(), "failed");
});

flow("what failed is tried again, and what became of it is seen", { as: "operator" }, async (page) => {
  const [{ no }] = await listed("failed");
  await visit(page, `/admin/sms?keyword=${no}`);
  await page.getByText("没有设置短信服务商").waitFor();
  await rowOf(page, no).getByText("发送失败").waitFor();
  await rowOf(page, no).getByRole("link", { name: no }).click();
  await page.getByRole("heading", { level: 1, name: no }).waitFor();
  await page.locator("#main").getByText(/^发送失败.*可以再试一次或放弃。$/).waitFor();
  await axe(page);
  await page.goBack();
  await act(page, rowOf(page, no), "再试一次");
  const question = dialogOf(page, `重新发送 ${no}？`);
  await axe(page);
  await question.getByRole("button", { name: "再试一次" }).click();
  await toast(page, "已安排再次发送");
  await until(async () => {
    await page.getByRole("button", { name: "刷新" }).click();
    return (await rowOf(page, no).getByText("已提交").count()) === 1;
  }, "it was handed over");
  await rowOf(page, no).getByText("日志文件（明文）").waitFor();
  assert.equal(await rowOf(page, no).getByRole("button", { name: "再试一次" }).count(), 0);
});

flow("of two tabs the second is told that somebody else has decided", { as: "operator" }, async (page) => {
  const [{ id, version, no }] = await listed("unconfirmed");
  await visit(page, `/admin/sms?keyword=${no}`);
  await rowOf(page, no).getByText("待核实").waitFor();
  await call("PUT", "/sms/giveUp", { id, version }, "admin");
  await act(page, rowOf(page, no), "放弃");
  await dialogOf(page, `放弃发送 ${no}？`).getByRole("button", { name: "放弃" }).click();
  await page.getByText(/已被他人修改|已被修改|已更新/).first().waitFor();
  await rowOf(page, no).getByText("已放弃").waitFor();
});

flow("a test message is sent, and its row says where it went", { as: "admin" }, async (page) => {
  await visit(page, "/admin/sms?kind=test");
  await page.getByRole("button", { name: "发送测试短信" }).click();
  const dialog = dialogOf(page, "发送测试短信");
  await dialog.getByLabel("手机号").fill("1381234");
  await dialog.getByRole("button", { name: "发送", exact: true }).click();
  await dialog.getByText("请输入 11 位手机号").waitFor();
  await axe(page);
  await dialog.getByLabel("手机号").fill("13812345678");
  await dialog.getByRole("button", { name: "发送", exact: true }).click();
  await toast(page, "测试短信已排队，刷新可看结果");
  await until(async () => {
    await page.getByRole("button", { name: "刷新" }).click();
    return (await rowOf(page, "138****5678").getByText("已提交").count()) === 1;
  }, "it was handed over");
  // A second one at once is refused by the limit.
  await page.getByRole("button", { name: "发送测试短信" }).click();
  await dialog.getByLabel("手机号").fill("13812345678");
  await dialog.getByRole("button", { name: "发送", exact: true }).click();
  await dialog.getByText(/每小时最多 20 条测试短信/).waitFor();
});

flow("a phone is found by its whole number, and nobody by none", { as: "admin" }, async (page) => {
  await visit(page, "/admin/sms?keyword=13812345678");
  await rowOf(page, "138****5678").first().waitFor();
  await visit(page, "/admin/sms?keyword=13812340000");
  await page.getByText("没有符合条件的").first().waitFor();
});

flow("who may only look has nothing to decide and nothing to send", { as: "auditor" }, async (page) => {
  await visit(page, "/admin/sms?state=failed");
  await page.locator("tbody th").first().getByRole("link").waitFor();
  for (const name of ["再试一次", "放弃", "发送测试短信"]) assert.equal(await page.getByRole("button", { name }).count(), 0, name);
  assert.equal(await page.getByRole("link", { name: "短信设置" }).count(), 1);
});

for (const profile of [
  { as: "admin", locale: "en-US", theme: "dark" },
  { as: "admin", width: 360, height: 740 },
]) {
  flow(`the screen holds in ${JSON.stringify(profile)}`, profile, async (page) => {
    await visit(page, "/admin/sms");
    await page.locator("tbody tr").first().waitFor();
    await axe(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sms-${profile.theme ?? profile.width}.png`, fullPage: true });
  });
}

flow("without scripts the list is whole and filtered by a form", { as: "admin", script: false }, async (page) => {
  await page.goto("/admin/sms?state=delivered");
  assert.ok((await page.locator("tbody tr").count()) > 0);
  await page.getByText("没有设置短信服务商").waitFor();
});
