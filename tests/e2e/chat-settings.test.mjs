/** /chat/group, /chat/manage, /chat/reply in the browser: a group with opening hours, a member of its staff, a quick reply. */
import assert from "node:assert/strict";

import { act, axe, call, flow, server, toast, visit } from "./support.mjs";

const rowOf = (page, name) => page.locator("tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) });
const answer = (page, name) => page.getByRole("alertdialog").or(page.getByRole("dialog")).last().getByRole("button", { name });

flow("a group is made, gets opening hours, and shows how visitors get to it", { as: "operator" }, async (page, { context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "/chat/group");
  await page.getByRole("button", { name: "新增分组" }).click();
  const dialog = page.getByRole("dialog", { name: "新增分组" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填", { exact: true }).waitFor();
  await dialog.getByLabel("分组", { exact: false }).first().fill("投诉处理");
  await dialog.getByLabel("分配方式").selectOption({ label: "手动接待" });
  await dialog.getByLabel("自动结束（分钟）").fill("60");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "分组已新增");
  const row = rowOf(page, "投诉处理");
  await row.getByText("手动接待").waitFor();

  await act(page, row, "修改");
  const edit = page.getByRole("dialog", { name: "修改分组" });
  await edit.getByRole("button", { name: "工作日 9–18 点" }).click();
  await edit.getByLabel("以文字填写").check();
  await edit.getByLabel("周六").last().fill("10:00-12:30");
  await edit.getByText("周一至周五 09:00–18:00；周六 10:00–12:30").waitFor();
  await axe(page);
  await edit.getByRole("button", { name: "保存" }).click();
  await toast(page, "分组已保存");

  await row.getByRole("rowheader").getByRole("link").click();
  await page.waitForURL(/\/chat\/group\/\d+$/);
  await page.getByText("周一至周五 09:00–18:00；周六 10:00–12:30").waitFor();
  const { list } = await call("POST", "/chat/group/page", { keyword: "投诉" }, "operator");
  await page.getByRole("link", { name: `${server.origin}/talk?g=${list[0].pageKey}` }).waitFor();
  await page.getByRole("button", { name: "复制网页嵌入代码" }).click();
  await page.getByRole("button", { name: "已复制网页嵌入代码" }).waitFor();
  const snippet = `<script src="${server.origin}/talk/embed.js?g=${list[0].pageKey}" async></script>`;
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), snippet);
  await page.getByText(snippet).waitFor();
  await axe(page);
  await page.getByRole("link", { name: "操作记录" }).click();
  await page.getByText("周一至周五 09:00–18:00；周六 10:00–12:30").waitFor();

  // A group to which staff, conversations or replies refer is not deleted.
  await visit(page, "/chat/group");
  await act(page, rowOf(page, "贷前咨询"), "删除");
  await answer(page, "删除").click();
  await page.getByText(/分组还有 2 名客服、.*不能删除/).first().waitFor();
  await act(page, row, "删除");
  await answer(page, "删除").click();
  await toast(page, "分组已删除");
});

flow("an account becomes a member of the staff", { as: "operator" }, async (page) => {
  await visit(page, "/chat/manage");
  await page.getByRole("button", { name: "新增客服" }).click();
  const dialog = page.getByRole("dialog", { name: "新增客服" });
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("必填", { exact: true }).waitFor();
  await dialog.getByRole("combobox", { name: "账号" }).click();
  // The select becomes a text field when it is used.
  await dialog.locator("input[role=combobox]").fill("finance");
  await page.getByRole("option", { name: /\(finance\)/ }).click();
  await dialog.getByLabel("昵称").fill("小林");
  await dialog.getByLabel("接待上限").fill("3");
  await dialog.getByLabel("售后服务").check();
  await axe(page);
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "客服已新增");
  const row = rowOf(page, "小林");
  await row.getByText("售后服务").waitFor();
  await row.getByText("0 / 3").waitFor();
  await row.getByText("离线").waitFor();
  await row.getByRole("rowheader").getByRole("link").click();
  await page.waitForURL(/\/chat\/manage\/\d+$/);
  await page.getByRole("heading", { name: "小林", level: 1 }).waitFor();
  await axe(page);
  await page.getByRole("button", { name: "停用" }).click();
  await answer(page, "停用").click();
  await toast(page, "客服已停用");
  const [made] = (await call("POST", "/chat/manage/page", { keyword: "小林" }, "operator")).list;
  assert.deepEqual([made.username, made.status, made.groupNames], ["finance", "disabled", ["售后服务"]]);
});

flow("a quick reply is made and disabled on a phone, in English", { as: "operator", locale: "en-US", width: 360, height: 740 }, async (page) => {
  await visit(page, "/chat/reply");
  await page.getByRole("button", { name: "New reply" }).click();
  const dialog = page.getByRole("dialog", { name: "New reply" });
  await dialog.getByLabel("Kind").selectOption({ label: "Keyword" });
  await dialog.getByLabel("Match").waitFor();
  assert.equal(await dialog.getByLabel("Shortcut").count(), 0);
  await dialog.getByLabel("Kind").selectOption({ label: "Quick reply" });
  assert.equal(await dialog.getByLabel("Match").count(), 0);
  await dialog.getByLabel("Shortcut").fill("a b");
  await dialog.getByLabel("Content").fill("The contract names all costs.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Only letters, digits and Chinese characters are allowed").waitFor();
  // The demo has this one.
  await dialog.getByLabel("Shortcut").fill("hello");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("“All groups” already has the shortcut “hello”").waitFor();
  await axe(page);
  await dialog.getByLabel("Shortcut").fill("costs");
  await dialog.getByRole("button", { name: "Save" }).click();
  await toast(page, "Reply added");
  await visit(page, "/chat/reply?keyword=The");
  await axe(page);
  const row = rowOf(page, "The contract names all costs.");
  await row.getByText("/costs").waitFor();
  await act(page, row, "Disable");
  await answer(page, "Disable").click();
  await toast(page, "Reply disabled");
  await row.getByText("Disabled", { exact: true }).waitFor();
  for (const address of ["/chat/group", "/chat/manage", "/chat/reply", "/chat/group/1", "/chat/manage/1", "/chat/reply/1"]) {
    await visit(page, address);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${address} is ${width} wide`);
    await axe(page);
  }
});
