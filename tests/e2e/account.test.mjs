/** The user centre and one's own settings: data, portrait, password, sessions, sign-ins. */
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { ask, call, flow, openPage, server, toast, visit } from "./support.mjs";

/** A whole PNG of one colour. */
function png(size = 8) {
  const crcs = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
  });
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = crcs[(crc ^ byte) & 0xff] ^ (crc >>> 8);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const lines = Buffer.alloc(size * (1 + size * 3), 120);
  for (let line = 0; line < size; line++) lines[line * (1 + size * 3)] = 0;
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))]);
}

// S3.09
flow("the user centre shows who one is, and the settings change it", { as: "operator" }, async (page) => {
  await visit(page, "/account/center");
  for (const term of ["姓名", "邮箱", "职位", "所属机构", "所在地", "个人简介", "个人网站", "手机号", "注册时间", "账号编号", "手机认证", "角色"]) {
    await page.getByRole("term").filter({ hasText: new RegExp(`^${term}$`) }).waitFor();
  }
  await page.getByRole("link", { name: "用户设置" }).first().click();
  await page.waitForURL("/account/setting");
  await page.getByRole("button", { name: "编辑资料" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑我的资料" });
  await dialog.getByLabel("邮箱").fill("no address");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByRole("alert").getByText("邮箱格式不正确").waitFor();
  await dialog.getByLabel("邮箱").fill("me@example.com");
  await dialog.getByLabel("职位").fill("渠道运营");
  await dialog.getByLabel("个人网站").fill("https://example.com/me");
  await dialog.getByLabel("个人简介").fill("两行\n简介");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "资料已保存");
  await page.getByRole("definition").filter({ hasText: "渠道运营" }).waitFor();
  const info = await call("GET", "/user/info", undefined, "operator");
  assert.deepEqual([info.email, info.job, info.personalWebsite], ["me@example.com", "渠道运营", "https://example.com/me"]);
});

flow("a portrait is uploaded, shown in the shell, and removed", { as: "finance", allow: [/status of 413/] }, async (page) => {
  await visit(page, "/account/setting");
  await page.getByRole("button", { name: "更换头像" }).click();
  const dialog = page.getByRole("dialog", { name: "更换头像" });
  const input = dialog.getByLabel(/选择图片/);

  const give = (kind, bytes = [...png()]) =>
    dialog.locator(".ll-upload-zone").evaluate(
      (zone, { kind, bytes }) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "我.png", { type: "image/png" }));
        const event = kind === "drop" ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }) : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        zone.dispatchEvent(event);
      },
      { kind, bytes },
    );

  // The page refuses a wrong file before it is sent, or the server does, which checks the content.
  await input.setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await dialog.getByRole("alert").getByText("请选择 PNG、JPG、WebP 或 GIF 图片").waitFor();
  await give("drop", 21 << 20);
  await dialog.getByRole("alert").getByText("文件不能超过 20 MB").waitFor();
  await input.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") });
  await dialog.getByRole("alert").getByText("请上传 PNG、JPG、WebP 或 GIF 图片").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "保存" }).isDisabled());

  // Dropped, taken back, and pasted.
  await give("drop");
  await dialog.getByRole("button", { name: "移除 我.png" }).click();
  await dialog.getByRole("button", { name: "移除 我.png" }).waitFor({ state: "detached" });
  await give("paste");
  await dialog.getByText("我.png").waitFor();
  const preview = dialog.locator(".ll-upload-list img");
  await preview.waitFor();
  assert.equal(await preview.evaluate((image) => image.decode().then(() => image.naturalWidth)), 8);
  const loaded = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "保存" }).click();
  await loaded;
  const face = page.locator(".app-avatar img").first();
  await face.waitFor();
  const address = await face.getAttribute("src");
  assert.match(address, /^\/files\/\d+$/);

  // Viewers of the account see the portrait; without a login it is not found.
  const colleague = await openPage({ as: "admin" });
  assert.equal((await colleague.page.request.get(address)).status(), 200);
  await colleague.context.close();
  assert.equal((await fetch(server.origin + address)).status, 404);

  await page.getByRole("button", { name: "更换头像" }).click();
  const gone = page.waitForEvent("load");
  await dialog.getByRole("button", { name: "移除头像" }).click();
  await gone;
  assert.equal(await page.locator(".app-avatar img").count(), 0);
});

flow("a session elsewhere is seen and ended", { as: "service" }, async (page) => {
  const elsewhere = await fetch(`${server.origin}/api/admin/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36" },
    body: JSON.stringify({ username: "service", password: "leadlane-demo-1" }),
  });
  const { token } = (await elsewhere.json()).data;
  await visit(page, "/account/setting");
  const row = page.getByRole("row", { name: /Windows/ }).first();
  await row.getByRole("button", { name: "下线" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "下线" }).click();
  await toast(page, "设备已下线");
  const me = await (await fetch(`${server.origin}/api/admin/me`, { headers: { token } })).json();
  assert.equal(me.code, "2000");
  assert.equal((await ask("GET", "/admin/me", undefined, "service")).code, "0000", "this one goes on");

  await visit(page, "/account/center?tab=logins");
  await page.getByRole("cell", { name: "成功" }).first().waitFor();
});

flow("the password dialog opens from the settings", { as: "service" }, async (page) => {
  await visit(page, "/account/setting");
  await page.getByRole("main").getByRole("button", { name: "修改密码" }).click();
  await page.getByRole("dialog", { name: "修改密码" }).getByLabel("当前密码").waitFor();
});

flow("the user centre reads without scripts", { as: "operator", script: false }, async (page) => {
  await page.goto("/account/center?tab=logins");
  await page.getByRole("table", { name: "登录记录" }).waitFor();
  await page.getByRole("link", { name: "我的资料" }).click();
  await page.getByRole("term").filter({ hasText: "账号编号" }).waitFor();
});
