/** Products are created, checked, put online, changed, copied, and changed many at once. */
import assert from "node:assert/strict";
import { act, axe, call, choosePlaces, flow, server, toast, until, visit } from "./support.mjs";

/** The demo's North Star. */
const ORG_ID = 1;
const blank = {
  orgId: ORG_ID, category: "credit", applyMode: "lead", minAmountCents: 100_000, maxAmountCents: 20_000_000, minTermMonths: 3,
  maxTermMonths: 36, annualRateMinBp: 720, annualRateMaxBp: 2380, lenderName: "北辰小额贷款有限公司", requirements: "年满 22 周岁。",
};

/** Makes a product to work on. */
const make = (code, fields = {}) => call("POST", "/product", { ...blank, code, name: `产品 ${code}`, ...fields }, "admin");

const rowOf = (page, code) => page.locator("tbody tr", { has: page.getByRole("cell", { name: code, exact: true }) });

/** Runs an action of a product's row. */
const choose = (page, code, label) => act(page, rowOf(page, code), label);

/** Says yes to the question that is open. */
async function agree(page) {
  const dialog = page.getByRole("dialog");
  await dialog.locator(".ll-dialog-foot button").last().click();
  await dialog.waitFor({ state: "detached" });
}

flow("a new product: what is wrong is said at its field, then it is a draft", { as: "operator" }, async (page) => {
  await visit(page, "/product/list");
  await page.getByRole("button", { name: "新增产品" }).click();
  const dialog = page.getByRole("dialog", { name: "新增产品" });
  await dialog.locator("[id$='-applyMode-hint']").getByText("产品不出现在访客页面").waitFor();
  await dialog.getByLabel("产品编码").fill("made-by-hand");
  await dialog.getByLabel("产品名称").fill("手工产品");
  await dialog.getByLabel("最低年化利率").fill("24");
  await dialog.getByLabel("最高年化利率").fill("7.2");
  await dialog.getByLabel("展示开始时间").fill("22:00");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.locator("[id$='-orgId-error']").waitFor();
  await dialog.getByLabel("所属机构").selectOption({ value: String(ORG_ID) });
  await dialog.getByRole("button", { name: "保存" }).click();
  // By default it has a link, whose address is required.
  await dialog.locator("[id$='-jumpUrl-error']").waitFor();
  await dialog.locator("[id$='-annualRateMaxBp-error']").waitFor();
  await dialog.locator("[id$='-onlineTo-error']").waitFor();
  // The first wrong field gets the focus after the errors are shown; text typed before would go there.
  await dialog.locator("[aria-invalid=true]:focus").waitFor();
  await dialog.getByLabel("最低年化利率").fill("7.2");
  await dialog.getByLabel("最高年化利率").fill("23.8");
  await dialog.getByLabel("展示结束时间").fill("06:00");
  await dialog.getByLabel("跳转地址").fill("https://h5.example.com/apply");
  await dialog.getByLabel("标签").fill("额度高\n随借随还");
  await choosePlaces(page, "展示城市", ["上海", "上海市"], ["hz", "杭州市"]);
  await page.keyboard.press("Control+Enter");
  await toast(page, "产品已新增");
  await visit(page, "/product/list?keyword=made-by-hand");
  const row = rowOf(page, "made-by-hand");
  await row.getByRole("cell", { name: "7.2%–23.8%" }).waitFor();
  await row.getByRole("cell", { name: "草稿" }).waitFor();
  await row.getByRole("link", { name: "手工产品", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "手工产品" }).waitFor();
  const main = page.locator("#main");
  await main.getByText(/^草稿：不展示。上架需要/).waitFor();
  await main.getByText("22:00–06:00").waitFor();
  await axe(page);
  await page.locator(".ll-tabs").getByRole("link", { name: "操作记录" }).click();
  await main.getByText(/^新增时填写了 \d+ 项$/).click();
  await main.getByText("最高年化利率: 23.8%").waitFor();
  // Back closes nothing else: the list is as it was.
  await page.getByRole("link", { name: "返回产品列表" }).click();
  await page.waitForURL("**/product/list?keyword=made-by-hand");
});

flow("going online asks for a check of what the product is, and leads to it", { as: "admin" }, async (page) => {
  const { id } = await make("goes-online");
  await visit(page, "/product/list?keyword=goes-online");
  const status = rowOf(page, "goes-online").locator("td .ll-tag").first();
  await choose(page, "goes-online", "上架");
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  const refusal = page.getByRole("dialog", { name: "暂不能执行" });
  await refusal.getByText("请先通过合规检测").waitFor();
  const link = refusal.getByRole("link", { name: "查看检测" });
  assert.equal(await link.getAttribute("href"), `/admin/test?targetType=product&targetId=${id}`);
  await axe(page);
  await refusal.getByRole("button", { name: "关闭" }).last().click();
  await refusal.waitFor({ state: "detached" });
  await choose(page, "goes-online", "合规检测");
  await page.getByRole("dialog", { name: "“产品 goes-online”的检测结果" }).getByText("写明放款机构").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await choose(page, "goes-online", "上架");
  await agree(page);
  await until(async () => (await status.textContent()) === "上架", "it is online");

  // A value above the limit is refused while the product is online.
  await rowOf(page, "goes-online").getByRole("button", { name: "编辑" }).click();
  const dialog = page.getByRole("dialog", { name: "编辑产品" });
  await dialog.getByLabel("最高年化利率").fill("36");
  await dialog.getByRole("button", { name: "保存" }).click();
  await dialog.getByText("最高年化利率 36.00% 高于上限 24.00%").waitFor();
  await dialog.getByLabel("最高年化利率").fill("22");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "产品已保存");

  // Its rate differs from the checked one.
  await choose(page, "goes-online", "下架");
  await agree(page);
  await choose(page, "goes-online", "上架");
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  await refusal.getByText(/之后内容已变更，请重新检测/).waitFor();
  await refusal.getByRole("button", { name: "关闭" }).last().click();
  await refusal.waitFor({ state: "detached" });
  assert.equal(await status.textContent(), "下架");
  await choose(page, "goes-online", "检测记录");
  await page.getByRole("heading", { level: 1, name: "合规检测" }).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 1);
});

flow("many go online each for itself, and what was refused is told", { as: "admin" }, async (page) => {
  const { id } = await make("many-one");
  await make("many-two");
  await call("POST", "/compliance/check", { targetType: "product", targetId: id }, "admin");
  await visit(page, "/product/list?keyword=many-");
  for (const code of ["many-one", "many-two"]) await rowOf(page, code).getByRole("checkbox").check();
  await page.getByRole("group", { name: "批量操作" }).getByRole("button", { name: "上架" }).click();
  await page.getByRole("dialog").locator(".ll-dialog-foot button").last().click();
  const dialog = page.getByRole("dialog", { name: "1 个已更新，1 个未通过" });
  await dialog.getByText("产品 many-two").waitFor();
  await dialog.getByText("请先通过合规检测").waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "关闭" }).last().click();
  await rowOf(page, "many-one").getByRole("cell", { name: "上架" }).waitFor();
});

flow("a copy begins as what it was made from, and one that is over is archived", { as: "admin" }, async (page) => {
  await make("original", { cities: ["上海"], tags: ["息费透明"] });
  await visit(page, "/product/list?keyword=original");
  // Saving waits for the upload.
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  let release;
  const held = new Promise((done) => (release = done));
  await page.route("**/api/common/upload", async (route) => (await held, route.continue()), { times: 1 });
  await rowOf(page, "original").getByRole("button", { name: "编辑" }).click();
  const editing = page.getByRole("dialog", { name: "编辑产品" });
  await editing.locator("input[type=file]").setInputFiles({ name: "标识.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") });
  await editing.getByText("文件正在上传，完成后即可保存").waitFor();
  await editing.getByLabel("产品名称").press("Control+Enter");
  assert.ok(await editing.getByRole("button", { name: "保存" }).isDisabled());
  release();
  await editing.getByRole("img").or(editing.locator(".ll-upload-list img")).first().waitFor();
  await editing.getByRole("button", { name: "保存" }).click();
  await toast(page, "产品已保存");
  const logo = (code) => rowOf(page, code).locator("img").getAttribute("src");
  await choose(page, "original", "复制");
  const dialog = page.getByRole("dialog", { name: "新增产品" });
  assert.equal(await dialog.getByLabel("产品编码").inputValue(), "");
  assert.equal(await dialog.getByLabel("产品名称").inputValue(), "产品 original 副本");
  assert.equal(await dialog.getByLabel("标签").inputValue(), "息费透明");
  await dialog.getByLabel("产品编码").fill("original-2");
  await dialog.getByRole("button", { name: "保存" }).click();
  await toast(page, "产品已新增");
  assert.match(await logo("original-2"), /^\/files\/\d+$/);
  assert.notEqual(await logo("original-2"), await logo("original"), "each has a picture of its own");
  await choose(page, "original-2", "删除");
  await agree(page);
  await toast(page, "产品已删除");
  await until(async () => (await page.locator("tbody tr").count()) === 1, "it is gone");
});

flow("an organisation's manager sees its own products and sets nothing", { as: "north.manager" }, async (page) => {
  await visit(page, "/product/list?pageSize=100");
  const owners = await page.locator("tbody tr").evaluateAll((rows) => [...new Set(rows.map((row) => row.textContent.includes("北辰")))]);
  assert.deepEqual(owners, [true]);
  assert.equal(await page.getByRole("button", { name: "新增产品" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "更多" }).count(), 0);
});

/** A browser that is counted. */
const AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const TO = "https://h5.example.com/apply?p=shown-first";

/** A product that is online and stands before the demo's, and a live channel of the demo whose visitors see it. */
async function offered() {
  const [channel] = (await call("POST", "/channel/page", { mode: "live", status: "enabled" }, "admin")).list;
  const [known] = (await call("POST", "/product/page", { keyword: "shown-first" }, "admin")).list;
  if (known) return { channel, product: known };
  const { id } = await make("shown-first", { applyMode: "jump", jumpUrl: TO, sort: 0, uvPriceCents: 100, tags: ["息费透明"] });
  await call("POST", "/compliance/check", { targetType: "product", targetId: id }, "admin");
  const { version } = await call("GET", `/product/${id}`, undefined, "admin");
  return { channel, product: await call("PUT", "/product/status", { id, version, status: "online" }, "admin") };
}

for (const [locale, words] of [
  ["zh-CN", { title: "贷款产品", city: "所在城市", search: "查看产品", apply: "去申请", facts: ["1,000 – 200,000 元", "3 – 36 个月", "7.20% – 23.80%"] }],
  ["en-US", { title: "Loan products", city: "City", search: "Show products", apply: "Apply", facts: ["1,000 – 200,000 CNY", "3 – 36 months", "7.20% – 23.80%"] }],
]) {
  flow(`visitors read the products of a channel without scripts, ${locale}`, { locale, width: 360, height: 740, script: false }, async (page) => {
    const { channel, product } = await offered();
    await page.goto(`/v/${channel.code}/products`);
    assert.equal(await page.locator("html").getAttribute("lang"), locale);
    await page.getByRole("heading", { level: 1, name: words.title, exact: true }).waitFor();
    assert.equal(await page.locator("script").count(), 0);
    const first = page.getByRole("article").first();
    await first.getByRole("heading", { level: 2, name: product.name, exact: true }).waitFor();
    for (const fact of [...words.facts, "息费透明", "北辰小额贷款有限公司", "年满 22 周岁。"]) await first.getByText(fact).first().waitFor();
    assert.equal(await first.getByRole("link", { name: words.apply, exact: true }).getAttribute("href"), `/p/shown-first?c=${channel.code}`);
    const all = await page.getByRole("article").count();
    assert.ok(all > 1, "the demo's products follow");
    const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(await beyond(), 0);

    // The form is a plain one, and keeps what was typed.
    await page.getByLabel(words.city).fill("上海");
    await page.getByRole("button", { name: words.search }).click();
    assert.equal(new URL(page.url()).searchParams.get("city"), "上海");
    assert.equal(await page.getByLabel(words.city).inputValue(), "上海");
    assert.ok((await page.getByRole("article").count()) >= all, "a city hides no product");
    assert.equal(await beyond(), 0);
  });
}

flow("the link of a product leads on and counts its visitor", {}, async (page) => {
  const { channel, product } = await offered();
  const context = await page.context().browser().newContext({ baseURL: server.origin, userAgent: AGENT });
  try {
    const guest = await context.newPage();
    // The redirect goes to another host, so the test checks it without following it.
    let answer;
    const isLink = (url) => url.pathname === "/p/shown-first";
    await guest.route(isLink, async (route) => {
      answer = await route.fetch({ maxRedirects: 0 });
      await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>apply</title>" });
    });
    await guest.goto(`/v/${channel.code}/products`);
    await guest.getByRole("article").first().getByRole("link").click();
    await guest.waitForURL(isLink);
    assert.equal(new URL(guest.url()).searchParams.get("c"), channel.code);
    assert.deepEqual([answer.status(), answer.headers()["location"]], [302, TO]);
    const counted = async () => {
      const { list } = await call("POST", "/product/uv/page", { subjectId: product.id, channelId: channel.id }, "admin");
      return list[0]?.uv;
    };
    await until(async () => (await counted()) === 1, "the visitor");
  } finally {
    await context.close();
  }
});
