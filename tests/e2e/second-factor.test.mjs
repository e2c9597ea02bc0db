/** The second factor: set up on one's own page, asked for at the login, taken away by an administrator. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { axe, call, flow, forgetSignIn, hydrated, openPage, PASSWORD, toast, until, visit } from "./support.mjs";

const STEP_MS = 30_000;

/** What an authenticator shows for a key (RFC 6238), some steps from now. */
function code(key, steps = 0) {
  const bits = [...key.replace(/\s/g, "")].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest.at(-1) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Saves screenshots if SIGHT names a folder. */
async function sight(page, name) {
  if (process.env["SIGHT"]) await page.screenshot({ path: path.join(process.env["SIGHT"], `${name}.png`), animations: "disabled" });
}

const WORDS = {
  "zh-CN": {
    setUp: "开启", title: "两步验证", password: "登录密码", next: "下一步", code: "验证码", confirm: "验证并开启", wrong: "验证码不正确",
    codes: "恢复码", download: "下载", kept: "我已保存", on: /还有 10 个恢复码/, userName: "用户名", loginPassword: "密码", logIn: "登录", verify: "验证",
    used: "验证码不正确或已使用，请等下一个验证码", turnOff: "关闭", turnOffTitle: "关闭两步验证", off: "两步验证已关闭",
  },
  "en-US": {
    setUp: "Set up", title: "Two-step verification", password: "Password", next: "Next", code: "Code", confirm: "Verify and turn on", wrong: "This code is incorrect",
    codes: "Recovery codes", download: "Download", kept: "I have saved them", on: /10 recovery codes left/, userName: "Username", loginPassword: "Password", logIn: "Log in", verify: "Verify",
    used: "This code is incorrect or has already been used, wait for the next one", turnOff: "Turn off", turnOffTitle: "Turn off two-step verification", off: "Two-step verification is off",
  },
};

/** Waits until no element fades in or out: a faded element has less contrast. */
async function settled(page) {
  await until(() => page.evaluate(() => document.querySelector(".ll-toast") === null && document.getAnimations().every(({ playState }) => playState !== "running")), "rest");
}

/** Sets it up as a user does; returns the authenticator's key and the recovery codes. */
async function enrol(page, words, looks) {
  const dialog = page.getByRole("dialog", { name: words.title });
  await dialog.getByRole("button", { name: words.next }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel(words.password).fill(PASSWORD);
  await dialog.getByRole("button", { name: words.next }).click();
  await dialog.getByRole("img").waitFor();
  if (looks) await sight(page, `${looks}-picture`);
  await settled(page);
  // The buttons stay in sight, however low the window is.
  const [frame, button] = [await dialog.boundingBox(), await dialog.getByRole("button", { name: words.confirm }).boundingBox()];
  assert.ok(button.y + button.height < frame.y + frame.height);
  await axe(page);
  const key = await dialog.locator(".account-secret code").innerText();
  const wrong = ["000000", "111111", "222222", "333333"].find((guess) => ![-1, 0, 1].some((steps) => code(key, steps) === guess));
  await dialog.getByLabel(words.code, { exact: true }).fill(wrong);
  await dialog.getByRole("button", { name: words.confirm }).click();
  await dialog.getByRole("alert").getByText(words.wrong).waitFor();
  await dialog.getByLabel(words.code, { exact: true }).fill(code(key));
  await dialog.getByRole("button", { name: words.confirm }).click();
  const shown = page.getByRole("dialog", { name: words.codes });
  await shown.waitFor();
  if (looks) await sight(page, `${looks}-codes`);
  await settled(page);
  await axe(page);
  const codes = await shown.locator("li code").allInnerTexts();
  const arriving = page.waitForEvent("download");
  await shown.getByRole("button", { name: words.download }).click();
  const file = await readFile(await (await arriving).path(), "utf8");
  assert.equal(codes.length, 10);
  for (const each of codes) assert.ok(file.includes(each), each);
  await shown.getByRole("button", { name: words.kept }).click();
  return { key, codes };
}

for (const [locale, as, theme, width] of [
  ["zh-CN", "operator", "light", 1440],
  ["en-US", "finance", "dark", 360],
]) {
  const words = WORDS[locale];
  flow(`a second factor is set up, asked for and turned off (${locale})`, { as, locale, theme, width }, async (page) => {
    await visit(page, "/account/setting");
    await page.getByRole("button", { name: words.setUp, exact: true }).click();
    const { key, codes } = await enrol(page, words, `factor-${locale}-${theme}-${width}`);
    await page.getByText(words.on).waitFor();
    await sight(page, `factor-${locale}-${theme}-${width}-on`);
    forgetSignIn(as);

    const other = await openPage({ locale, theme, width });
    try {
      await visit(other.page, "/login?redirect=accountCenter");
      await other.page.getByLabel(words.userName).fill(as);
      await other.page.getByLabel(words.loginPassword, { exact: true }).fill(PASSWORD);
      await other.page.getByRole("button", { name: words.logIn, exact: true }).click();
      const field = other.page.getByLabel(words.code, { exact: true });
      await field.waitFor();
      await sight(other.page, `login-code-${locale}-${theme}-${width}`);
      await axe(other.page);
      await until(() => field.evaluate((input) => document.activeElement === input), "the focus in the field");
      // The code that confirmed the setup cannot be used again.
      await field.fill(code(key, -1));
      await other.page.getByRole("button", { name: words.verify, exact: true }).click();
      await other.page.getByRole("alert").getByText(words.used).waitFor();
      await field.fill(codes[0]);
      await other.page.getByRole("button", { name: words.verify, exact: true }).click();
      await other.page.waitForURL("/account/center");
      assert.deepEqual(other.complaints(), []);
    } finally {
      await other.context.close();
    }

    await page.getByRole("button", { name: words.turnOff, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: words.turnOffTitle });
    await dialog.getByLabel(words.password).fill(PASSWORD);
    await dialog.getByLabel(words.code, { exact: true }).fill(codes[1]);
    await dialog.getByRole("button", { name: words.turnOffTitle, exact: true }).click();
    await toast(page, words.off);
    await page.getByRole("button", { name: words.setUp, exact: true }).waitFor();
  });
}

flow("without scripts the login asks for the code too", { script: false }, async (page) => {
  const signedIn = await openPage({ as: "auditor" });
  await visit(signedIn.page, "/account/setting");
  await signedIn.page.getByRole("button", { name: "开启", exact: true }).click();
  const { codes } = await enrol(signedIn.page, WORDS["zh-CN"]);
  await signedIn.context.close();
  forgetSignIn("auditor");
  await page.goto("/login?redirect=accountCenter");
  await page.getByLabel("用户名").fill("auditor");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.getByLabel("验证码", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "验证", exact: true }).click();
  await page.getByRole("alert").getByText("验证码不正确或已使用").waitFor();
  await page.getByLabel("验证码", { exact: true }).fill(codes[0]);
  await page.getByRole("button", { name: "验证", exact: true }).click();
  await page.waitForURL("/account/center");
});

flow("whose role asks for it sets it up before anything else, and an administrator can take it away", { as: "service" }, async (page) => {
  const role = (await call("GET", "/admin/me", undefined, "service")).role;
  const settings = await call("GET", "/setting/list", undefined, "admin");
  const { key, version } = settings.flatMap((group) => group.settings).find(({ key: name }) => name === "security.second_factor_roles");
  await call("PUT", "/setting", { changes: [{ key, version, value: [role] }] }, "admin");
  await page.goto("/dashboard/workplace");
  await hydrated(page);
  assert.equal(new URL(page.url()).pathname, "/account/setting");
  await page.getByText("您的角色必须使用两步验证").waitFor();
  await sight(page, "factor-must");
  await axe(page);
  await page.getByRole("button", { name: "开始设置" }).click();
  await enrol(page, WORDS["zh-CN"]);
  await page.waitForURL("/dashboard/workplace");

  const admin = await openPage({ as: "admin" });
  try {
    await visit(admin.page, "/admin/list?keyword=service");
    const row = admin.page.locator("tbody tr", { has: admin.page.getByRole("rowheader", { name: /^service( |$)/ }) });
    await row.getByRole("button", { name: "更多" }).click();
    await admin.page.getByRole("menuitem", { name: "关闭两步验证" }).click();
    await admin.page.getByRole("dialog").getByRole("button", { name: "关闭两步验证" }).click();
    await toast(admin.page, "两步验证已关闭");
  } finally {
    await admin.context.close();
  }
  await page.reload();
  assert.equal(new URL(page.url()).pathname, "/login");
});
