/** /chat/wechat in the browser: an official account is set up; answers to a customer of WeChat say how far they have come. */
import assert from "node:assert/strict";

import { act, ask, axe, call, flow, server, toast, visit } from "./support.mjs";

const rowOf = (page, name) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) });
const answer = (page, name) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name });
const SECRET = "0123456789abcdef0123456789abcdef";

// S1.09 S2.09
flow("an official account is set up, and shows its callback address", { as: "operator" }, async (page, { context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "/chat/wechat");
  await rowOf(page, "贷款服务号").getByText("安全模式").waitFor();
  await page.getByRole("button", { name: "新增公众号" }).click();
  const dialog = page.getByRole("dialog", { name: "新增公众号" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填", { exact: true }).first().waitFor();
  await dialog.getByLabel("名称").fill("第二服务号");
  await dialog.getByLabel("AppID").fill("wx00000000e2e001");
  await dialog.getByLabel("AppSecret").fill(SECRET);
  await dialog.getByLabel("令牌").fill("e2etoken");
  await dialog.getByLabel("EncodingAESKey").fill("a".repeat(43));
  await dialog.getByLabel("分组").selectOption({ label: "贷前咨询" });
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "公众号已新增");
  await act(page, rowOf(page, "第二服务号"), "启用");
  await toast(page, "公众号已启用");

  await rowOf(page, "第二服务号").getByRole("rowheader").getByRole("link").click();
  await page.waitForURL(/\/chat\/wechat\/\d+$/);
  const { list } = await call("POST", "/chat/wechat/page", { keyword: "第二" }, "operator");
  await page.getByText(`${server.origin}/api/open/wechat/${list[0].id}`).waitFor();
  assert.ok(!(await page.content()).includes(SECRET), "secrets are not shown");
  await axe(page);

  await visit(page, "/chat/wechat");
  await act(page, rowOf(page, "第二服务号"), "停用");
  await answer(page, "停用").click();
  await toast(page, "公众号已停用");
  await act(page, rowOf(page, "第二服务号"), "删除");
  await answer(page, "删除").click();
  await toast(page, "公众号已删除");
  // An account that customers have written to cannot be deleted.
  await act(page, rowOf(page, "贷款服务号"), "删除");
  await answer(page, "删除").click();
  await page.getByText("该公众号已有客户，不能删除，可停用").first().waitFor();
});

// S1.09
flow("an answer by WeChat shows that it waits, and until when there can be others", { as: "service" }, async (page) => {
  const { list } = await call("POST", "/chat/user/page", { box: "all", pageSize: 50 }, "service");
  const { id, customerName } = list.find(({ replyUntil }) => replyUntil !== null);
  // Conversations of staff who are not seen for some minutes go back to the queue.
  await ask("POST", "/chat/take", { conversationId: id }, "service");
  assert.match(customerName, /^微信用户/);
  await visit(page, `/chat/conversation?id=${id}`);
  await page.getByText(/可回复至 .*，已发送 \d+\/5 条/).waitFor();
  await page.getByRole("textbox", { name: "消息", exact: true }).fill("您好，请稍等");
  await page.getByRole("button", { name: "发送", exact: true }).click();
  const sent = page.locator(".chat-out", { hasText: "您好，请稍等" });
  await sent.getByText(/待发送|发送中/).waitFor();
  await axe(page);
  await sent.getByRole("button", { name: "撤回" }).click();
  await page.locator(".chat-out").getByText("已撤回").waitFor();
});
