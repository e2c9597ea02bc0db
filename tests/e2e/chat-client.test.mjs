/** /chat/client in the browser: a customer is described, blocked and let in again, and has a page of their own. */
import assert from "node:assert/strict";

import { act, axe, call, flow, server, toast, visit } from "./support.mjs";

/** A visitor who writes on the page of a group, or again with the cookie that they hold. */
async function begun(nickname, held, content = "请问利率是多少") {
  const groups = (await call("POST", "/chat/group/page", {}, "admin")).list.filter(({ status }) => status === "enabled");
  const group = groups[0] ?? (await call("POST", "/chat/group", { name: "浏览器测试", assignMode: "manual" }, "admin"));
  const page = `${server.origin}/talk?g=${group.pageKey}`;
  const first = await fetch(page);
  const cookie = held ?? first.headers.get("set-cookie").split(";")[0];
  const form = new URLSearchParams({ nickname, content, consent: /name="consent" value="(\w+)"/.exec(await first.text())[1] });
  const answer = await fetch(page, { method: "POST", body: form, headers: { "accept-language": "zh-CN", cookie }, redirect: "manual" });
  return { status: answer.status, text: await answer.text(), cookie, thread: `${server.origin}/talk/${group.pageKey}` };
}

const rowOf = (page, name) => page.locator("tbody tr", { hasText: name });
const question = (page) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last();

flow("a customer gets tags, is blocked, and let in again", { as: "operator" }, async (page) => {
  const { status, cookie } = await begun("浏览器客户");
  assert.equal(status, 303);
  await visit(page, "/chat/client?keyword=浏览器客户");
  const row = rowOf(page, "浏览器客户");
  await act(page, row, "修改");
  const dialog = page.getByRole("dialog", { name: "修改客户" });
  await dialog.getByLabel("标签").fill("VIP\n一个超过二十个字的标签是不能保存的因为太长了\n");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("“一个超过二十个字的标签是不能保存的因为太长了”应为 1 至 20 字").waitFor();
  await axe(page);
  await dialog.getByLabel("标签").fill("VIP\n房贷");
  await dialog.getByLabel("备注").fill("下周回电");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "客户已保存");
  await row.getByText(/VIP.*房贷/).waitFor();

  await act(page, row, "拉黑");
  await question(page).getByText("对方不能再发送消息").waitFor();
  await question(page).getByRole("button", { name: "拉黑" }).click();
  await toast(page, "客户已拉黑");
  await row.getByText("已拉黑").waitFor();
  assert.match((await begun("浏览器客户", cookie, "换个说法")).text, /暂时无法发送消息/);

  // The filters find it.
  await visit(page, "/chat/client?status=blocked&tag=房贷&source=web");
  assert.equal(await page.locator("tbody tr").count(), 1);
  await act(page, row, "解除拉黑");
  await question(page).getByRole("button", { name: "解除拉黑" }).click();
  await toast(page, "已解除拉黑");
  assert.equal((await call("POST", "/chat/client/page", { tag: "房贷" }, "operator")).list[0].status, "active");
});

flow("a customer has a page of their own, on a narrow dark screen", { as: "admin", locale: "en-US", theme: "dark", width: 360, height: 740 }, async (page) => {
  const { status, cookie, thread } = await begun("Browser visitor");
  assert.equal(status, 303);
  const phone = { method: "POST", body: new URLSearchParams({ phone: "13812345678" }), headers: { cookie }, redirect: "manual" };
  assert.equal((await fetch(thread, phone)).status, 303);
  await visit(page, "/chat/client?keyword=Browser visitor");
  await page.getByRole("heading", { name: "Customers" }).waitFor();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const reachingOut = (tags) => tags.filter((tag) => tag.getBoundingClientRect().right > tag.closest("td, dd, .ll-card").getBoundingClientRect().right + 1).map((tag) => tag.textContent);
  const long = page.locator("main .ll-tag", { hasText: "not verified" });
  await page.getByRole("table").getByText("not verified").waitFor();
  assert.equal(await overflow(), 0);
  assert.deepEqual(await page.locator("main .ll-tag").evaluateAll(reachingOut), []);
  await axe(page);
  await page.getByRole("table").getByRole("link", { name: "Browser visitor" }).click();
  await page.getByRole("heading", { name: "Browser visitor" }).waitFor();
  const id = /^\/chat\/client\/(\d+)$/.exec(new URL(page.url()).pathname)[1];
  await page.locator(".ll-facts").getByText("138****5678").waitFor();
  assert.equal(await page.locator(".ll-facts").getByRole("link", { name: "1", exact: true }).getAttribute("href"), `/chat/conversation?customerId=${id}`);
  assert.equal(await overflow(), 0);
  await long.first().waitFor();
  assert.deepEqual(await page.locator("main .ll-tag").evaluateAll(reachingOut), []);
  await axe(page);

  await page.getByRole("button", { name: "Show full numbers" }).click();
  const secret = page.getByRole("dialog", { name: "Full numbers of “Browser visitor”" });
  await secret.getByText("13812345678").waitFor();
  await axe(page);
  await secret.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("link", { name: "History" }).click();
  await page.waitForURL(/\?tab=history$/);
  await page.locator(".ll-timeline").getByText(/reveal/i).first().waitFor();
});
