/** A list whose last page has lost its rows. */
import assert from "node:assert/strict";
import { flow, until, visit } from "./support.mjs";

flow("without the last row of the last page the page before it is shown", { as: "admin" }, async (page) => {
  let gone = false;
  await page.route("**/api/blacklist/page", async (route) => {
    const { current = 1 } = route.request().postDataJSON();
    const row = (id) => ({ id, no: `B${id}`, kind: "phone", valueMask: `100****000${id}`, scope: "global", scopeId: null, source: "manual", reason: "x", status: "active", version: 1, createdAt: 0, expiresAt: null, hits: 0 });
    const all = Array.from({ length: gone ? 10 : 11 }, (_, i) => row(i + 1));
    const list = all.slice((current - 1) * 10, Number(current) * 10);
    await route.fulfill({ json: { code: "0000", desc: "", data: { list, total: all.length, totalIsExact: true, current: Number(current), pageSize: 10 } } });
  });
  await visit(page, "/home");
  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "/user/black-list?pageSize=10&current=2";
    document.body.append(link);
    link.click();
    link.remove();
  });
  const rows = page.locator(".ll-table tbody tr");
  await until(async () => (await rows.count()) === 1, "the one row of the last page");
  gone = true;
  await page.getByRole("button", { name: "刷新" }).click();
  await until(async () => (await rows.count()) === 10, "the new last page");
  assert.equal(await page.evaluate(() => location.search), "?pageSize=10");
  await page.goBack();
  await page.waitForURL("**/home");
});
