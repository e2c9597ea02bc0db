/** The lists of visits: their days, filters, totals and files; links and the script of landing pages. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { axe, call, flow, server, until, visit } from "./support.mjs";

const AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";

async function makeChannel(code, landingUrl) {
  const form = { code, name: `渠道 ${code}`, type: "h5", settleMode: "uv", unitPriceCents: 100, landingUrl };
  return call("POST", "/channel", form, "admin");
}

/** The row of a channel's list of visits, once it has so many views. A new channel is in test mode. */
async function counted(id, views) {
  const row = async () => {
    const { list } = await call("POST", "/channel/uv/page", { subjectId: id }, "admin");
    return list[0]?.testPv === views && list[0];
  };
  return until(row, `${views} views`);
}

flow("a list shows its days, narrows, and adds everything up", { as: "operator" }, async (page) => {
  await visit(page, "/channel/uv-list");
  assert.match(await page.locator('input[name="dayFrom"]').inputValue(), /^\d{4}-\d{2}-\d{2}$/, "the days that are meant are told");
  const foot = page.locator("tfoot tr");
  await foot.getByText("合计").waitFor();
  const whole = (await foot.locator("td").allTextContents()).join(" ");

  await page.getByText("更多条件").click();
  await page.locator('select[name="system"]').selectOption({ label: "微信" });
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(/system=wechat/);
  await page.waitForFunction((before) => [...document.querySelectorAll("tfoot td")].map((cell) => cell.textContent).join(" ") !== before, whole);

  await page.getByRole("link", { name: "UV", exact: true }).click();
  await page.waitForURL(/sort=uv&order=asc/);
  await page.getByRole("link", { name: "UV", exact: true }).click();
  await page.waitForURL(/sort=uv&order=desc/);
  const numbers = (await page.locator("tbody tr td:nth-of-type(3)").allTextContents()).map((text) => Number(text.replace(/,/g, "")));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  await axe(page);
});

flow("from a channel's row to its visits", { as: "operator" }, async (page) => {
  await visit(page, "/channel/list?sort=createdAt&order=asc");
  await page.getByRole("button", { name: "更多" }).first().click();
  await page.getByRole("menuitem", { name: "访问统计" }).click();
  await page.waitForURL(/\/channel\/uv-list\?subjectId=\d+/);
  await page.locator("tbody tr").first().waitFor();
});

// S1.11
flow("exposures show who chose what, and nobody's name", { as: "operator" }, async (page) => {
  await visit(page, "/plan/bgList");
  await page.locator("tbody tr").first().waitFor();
  const visitor = await page.locator("tbody tr").first().locator("td").nth(2).textContent();
  assert.match(visitor, /^[0-9a-f]{8}$/);
  await page.getByText("更多条件").click();
  await page.locator('select[name="clicked"]').selectOption({ label: "已点击" });
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(/clicked=yes/);
  await page.locator("tbody tr").first().waitFor();

  await visit(page, "/plan/bgList");
  await page.getByText("更多条件").click();
  await page.locator('select[name="test"]').selectOption({ label: "正式曝光" });
  await page.getByRole("button", { name: "查询" }).click();
  await page.waitForURL(/test=no/);
  await page.locator("tbody tr").first().waitFor();
});

flow("a link and a landing page's script count who looks", { as: "admin" }, async (page) => {
  // A page of a third party, on another origin.
  const site = createServer((request, response) => {
    const code = new URL(request.url, "http://site").searchParams.get("with");
    response.setHeader("content-type", "text/html");
    response.end(code ? `<!doctype html><title>landing</title><script async src="${server.origin}/v/${code}.js"></script>` : "<!doctype html><title>landing</title>");
  });
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  try {
    const landing = `http://127.0.0.1:${site.address().port}/`;
    const { id } = await makeChannel("counted-e2e", landing);
    const context = await page.context().browser().newContext({ userAgent: AGENT });
    const guest = await context.newPage();
    await guest.goto(`${server.origin}/v/counted-e2e`);
    assert.equal(guest.url(), landing);
    assert.equal((await counted(id, 1)).testUv, 1);
    const [cookie] = (await context.cookies(server.origin)).filter(({ name }) => name === "ll_device");
    assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Lax"]);

    await guest.goto(`${landing}?with=counted-e2e`);
    assert.equal((await counted(id, 2)).testUv, 2, "the landing page knows the device by a name of its own");
    assert.equal((await guest.evaluate(() => localStorage.getItem("ll_device"))).length, 32);
    await context.close();
  } finally {
    site.close();
  }
});
