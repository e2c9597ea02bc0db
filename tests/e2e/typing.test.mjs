/** Pages ignore keys of an input method, and accept its Chinese punctuation for a slash. */
import assert from "node:assert/strict";
import { call, flow, openPage, until, visit } from "./support.mjs";

/** Simulates Safari at the Enter that takes a candidate: the composition ends first, and only the key code shows what the key was for. */
function takeCandidate(field, text) {
  field.focus();
  field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, text);
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertCompositionText", data: text }));
  field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: text }));
  const key = new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true, keyCode: 229 });
  return { taken: !field.dispatchEvent(key), composing: key.isComposing, code: key.keyCode };
}

/** The same key when nothing is composed. */
const press = (field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", bubbles: true, cancelable: true, keyCode: 13 }));

flow("the Enter of an input method opens nothing in the palette", { as: "admin" }, async (page) => {
  await visit(page, "/home");
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox");
  await input.waitFor();
  assert.deepEqual(await input.evaluate(takeCandidate, "渠道列表"), { taken: false, composing: false, code: 229 });
  assert.equal(await input.inputValue(), "渠道列表");
  assert.ok(await page.getByRole("dialog").isVisible());
  await input.evaluate(press);
  await page.waitForURL("**/channel/list");
});

flow("the Enter of an input method sends nothing in the chat, and the slash of Chinese punctuation opens the quick replies", { as: "service" }, async (page) => {
  const visitor = await openPage({ locale: "zh-CN" });
  const [group] = (await call("POST", "/chat/group/page", { keyword: "售后服务" }, "operator")).list;
  await visitor.page.goto(`/talk?g=${group.pageKey}`);
  await visitor.page.getByLabel("怎么称呼您").fill("韦先生");
  await visitor.page.getByLabel("请输入消息").fill("您好");
  await visitor.page.getByLabel("我同意").check();
  await visitor.page.getByRole("button", { name: "发送" }).click();
  await visitor.page.locator("li.mine", { hasText: "您好" }).waitFor();
  await visitor.context.close();
  await visit(page, "/chat/conversation?keyword=韦先生");
  await page.locator(".chat-row", { hasText: "韦先生" }).click();
  const area = page.getByRole("textbox", { name: "消息", exact: true });
  await area.waitFor();
  let sent = 0;
  page.on("request", (request) => (sent += request.url().endsWith("/api/chat/send") ? 1 : 0));
  await area.evaluate(takeCandidate, "你好");
  assert.equal(await area.inputValue(), "你好", "the text is not sent away");
  for (const first of ["/", "、", "／"]) {
    await area.fill(first);
    await page.locator(".chat-quick li").first().waitFor();
  }
  await area.fill("好、");
  await until(async () => (await page.locator(".chat-quick").count()) === 0, "no quick replies within a text");
  await area.fill("");
  assert.equal(sent, 0);
});

/** Puts a text into a field as the clipboard does; a length limit of the field would cut it. */
async function paste(page, field, text) {
  await field.fill("");
  await field.focus();
  await page.keyboard.insertText(text);
}

flow("what is pasted into a form stays whole and is brought into one form", { as: "operator" }, async (page) => {
  await visit(page, "/user/list");
  await page.getByRole("link", { name: "录入用户" }).first().click();
  const dialog = page.getByRole("form", { name: "录入用户" });
  for (const [label, pasted, form] of [
    ["手机号", "+86 100 0003 0001", "10000030001"],
    ["身份证号", " 110105 19491231 002x", "11010519491231002X"],
    ["申请金额", "￥80，000元", "80000"],
    ["年龄", "３５", "35"],
    ["姓名", "\ufeff 买买提·艾力 ", "买买提·艾力"],
  ]) {
    const field = dialog.getByLabel(label);
    await paste(page, field, pasted);
    await field.blur();
    assert.equal(await field.inputValue(), form, label);
    assert.equal(await field.getAttribute("aria-invalid"), null, label);
  }
  const amount = dialog.getByLabel("申请金额");
  await paste(page, amount, "5万");
  await amount.blur();
  await dialog.getByText("请写出完整数字，不要用“万”等单位").waitFor();
  assert.equal(await amount.inputValue(), "5万", "what cannot be read stays");
});

flow("Enter sends what was pasted in one form too", { as: "admin" }, async (page) => {
  await visit(page, "/org/payee");
  await page.getByRole("button", { name: "新增收款主体" }).first().click();
  const dialog = page.getByRole("dialog", { name: "新增收款主体" });
  const tax = dialog.getByLabel("税号");
  await paste(page, tax, " 9131 0000 ma1f-l0xx xx");
  await tax.press("Enter");
  await dialog.getByText("必填", { exact: true }).first().waitFor();
  assert.equal(await dialog.getByText("15 到 20 位数字或字母").count(), 0);
});
