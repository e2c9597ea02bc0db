/** On paper every kind of screen is whole, upright and across, and light; nothing that asks or leads elsewhere is on it. */
import assert from "node:assert/strict";
import { act, call, flow, server, until, visit } from "./support.mjs";

/** What margins leave of A4 upright and across, in CSS pixels. */
const PAPERS = [718, 1060];

/** Elements that overflow the paper or are cut on it, and those that only a screen needs. */
function faults(width) {
  const found = [];
  const name = (element) => `${element.tagName} ${element.getAttribute("class") ?? ""} ${element.textContent.slice(0, 20)}`;
  for (const element of document.querySelectorAll("body *")) {
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (own === 0 || height === 0 || style.visibility === "hidden" || element.closest(".sr-only")) continue;
    // Parts of a picture are in units of its own.
    if (element.closest("svg") && element.tagName !== "svg") continue;
    if (right > width + 1 || left < -1) found.push(`over the edge: ${name(element)} ${left}-${right}`);
    if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${name(element)}`);
    if (style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1) found.push(`cut below: ${name(element)}`);
    if (element.matches("input, select, textarea, .ll-btn, [role=search], search, aside:not(.chat-customer), nav:not(.ll-pages), .app-top, .ll-filters, .ll-toolbar")) found.push(`of the screen: ${name(element)}`);
  }
  return found;
}

/** The number of visible buttons and inputs. */
const controls = (page) => page.locator("button, form, input, a").filter({ visible: true }).count();

async function onPaper(page) {
  for (const width of PAPERS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ media: "print" });
    assert.deepEqual(await page.evaluate(faults, width), [], `${page.url()} on ${width} px`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    const { ground, text } = await page.evaluate(() => {
      const { backgroundColor: ground } = getComputedStyle(document.body);
      return { ground, text: getComputedStyle(document.querySelector("h1, h2")).color };
    });
    assert.match(ground, /rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/, page.url());
    assert.ok(Number(/\d+/.exec(text)[0]) < 100, `${page.url()}: dark letters, not ${text}`);
    await page.emulateMedia({ media: "screen" });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const first = async (path) => (await call("POST", `${path}/page`, {}, "admin")).list[0].id;

flow("every kind of screen is whole on paper", { as: "admin", theme: "dark" }, async (page) => {
  const screens = [
    "/user/list", "/plan/list", "/crm/clue", "/chart/channel-list", "/chart/score-list", "/dashboard/workplace", "/finance/account/statements",
    `/finance/statement/${await first("/finance/statement")}`, `/finance/invoice/${await first("/finance/invoice")}`,
    `/payConfig/order-list/${await first("/payOrder")}`, "/crm/board", `/crm/clue/${(await call("POST", "/crm/pushPage", { pageSize: 1 }, "admin")).list[0].id}`, "/account/center", "/account/message",
    "/admin/dictionary?type=occupation", "/org/uv-list", "/dashboard/server",
  ];
  for (const address of screens) {
    const answer = await visit(page, address);
    assert.equal(answer.status(), 200, address);
    await page.locator("main h1, main h2").first().waitFor();
    await onPaper(page);
  }
});

flow("the cards of a board are all on paper, with nothing to move them by", { as: "north.sales1" }, async (page) => {
  await visit(page, "/crm/board");
  await onPaper(page);
  await page.setViewportSize({ width: PAPERS[0], height: 900 });
  await page.emulateMedia({ media: "print" });
  const cards = page.locator(".crm-card");
  assert.ok((await cards.count()) > 3);
  assert.equal(await cards.filter({ visible: true }).count(), await cards.count());
  assert.equal(await page.locator(".crm-board :is(button, form)").filter({ visible: true }).count(), 0);
});

flow("the form that moves a card without a script is on no paper", { as: "north.sales1", script: false }, async (page) => {
  await page.goto("/crm/board");
  assert.ok((await page.locator(".crm-move").count()) > 0);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".crm-move").filter({ visible: true }).count(), 0);
});

flow("a printed list says which page it is", { as: "admin" }, async (page) => {
  const { total } = await call("POST", "/user/page", {}, "admin");
  await visit(page, "/user/list?pageSize=10&current=2");
  const here = page.locator(".ll-pages-paper");
  assert.equal(await here.isVisible(), false, "on a screen the links say so");
  await page.emulateMedia({ media: "print" });
  assert.equal(await here.innerText(), `第 2 / ${Math.ceil(total / 10)} 页`);
  assert.equal(await page.locator(".ll-pages :is(a, button, select)").filter({ visible: true }).count(), 0);
});

flow("a list with all its columns fits, its head is on every sheet and no row is split", { as: "admin" }, async (page) => {
  await visit(page, "/user/list?pageSize=50");
  await page.getByRole("button", { name: "显示的列" }).click();
  const boxes = page.getByRole("menuitemcheckbox");
  await boxes.first().waitFor();
  for (const box of await boxes.all()) if ((await box.getAttribute("aria-checked")) === "false") await box.click();
  await page.keyboard.press("Escape");
  await until(async () => (await page.locator(".ll-table thead th").count()) > 14, "all columns");
  await onPaper(page);
  await page.emulateMedia({ media: "print" });
  const style = await page.evaluate(() => [getComputedStyle(document.querySelector(".ll-table thead")).display, getComputedStyle(document.querySelector(".ll-table tbody tr")).breakInside]);
  assert.deepEqual(style, ["table-header-group", "avoid"]);
});

flow("charts are scaled to the paper", { as: "admin" }, async (page) => {
  await visit(page, "/visualization");
  await page.locator(".ll-chart [role=img] svg").locator("visible=true").first().waitFor();
  await onPaper(page);
  await page.setViewportSize({ width: 718, height: 900 });
  await page.emulateMedia({ media: "print" });
  const { width } = await page.locator(".ll-chart-picture").first().boundingBox();
  assert.ok(width > 600, `a picture of ${width} px`);
});

flow("heads of a chart's table keep their words whole on paper", { as: "admin", locale: "en-US" }, async (page) => {
  await visit(page, "/visualization");
  await page.locator(".ll-chart [role=img] svg").locator("visible=true").first().waitFor();
  await page.evaluate(() => document.querySelectorAll(".ll-chart details").forEach((each) => (each.open = true)));
  await page.setViewportSize({ width: PAPERS[0], height: 900 });
  await page.emulateMedia({ media: "print" });
  const [words, broken] = await page.locator(".ll-chart-table thead th").evaluateAll((heads) => {
    const all = heads.flatMap((head) => [...head.textContent.matchAll(/\w+/g)].map(({ 0: word, index }) => ({ head, word, index })));
    const isBroken = ({ head, word, index }) => {
      const range = document.createRange();
      range.setStart(head.firstChild, index);
      range.setEnd(head.firstChild, index + word.length);
      return range.getClientRects().length > 1;
    };
    return [all.length, all.filter(isBroken).map(({ word }) => word)];
  });
  assert.ok(words > 5, `${words} words`);
  assert.deepEqual(broken, []);
  assert.deepEqual(await page.evaluate(faults, PAPERS[0]), []);
});

flow("an open drawer is what is printed", { as: "admin", theme: "dark" }, async (page) => {
  await visit(page, "/org/list");
  await act(page, page.locator("tbody tr").first(), "接口配置");
  await page.locator(".ll-dialog-drawer[data-open]").waitFor();
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#root").isVisible(), false);
  assert.equal(await page.locator(".ll-dialog-drawer .ll-details").first().isVisible(), true);
  for (const width of PAPERS) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await page.evaluate(faults, width), []);
  }
});

flow("a conversation is printed without what is typed, chosen or listed beside it", { as: "service" }, async (page) => {
  const [{ pageKey }] = (await call("POST", "/chat/group/page", { keyword: "售后服务" }, "operator")).list;
  const talk = `${server.origin}/talk?g=${pageKey}`;
  const first = await fetch(talk);
  const consent = /name="consent" value="(\w+)"/.exec(await first.text())[1];
  const headers = { "accept-language": "zh-CN", cookie: first.headers.get("set-cookie").split(";")[0] };
  const body = new URLSearchParams({ nickname: "打印客户", content: "请把记录打印给我", consent });
  assert.equal((await fetch(talk, { method: "POST", body, headers, redirect: "manual" })).status, 303);
  const [{ id }] = (await call("POST", "/chat/user/page", { keyword: "打印客户" }, "service")).list;

  await visit(page, "/chat/conversation");
  await page.locator(".chat-row", { hasText: "打印客户" }).waitFor();
  await onPaper(page);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".chat-row", { hasText: "打印客户" }).isVisible(), "the list alone is printed");
  await page.emulateMedia({ media: "screen" });

  await visit(page, `/chat/conversation?id=${id}`);
  for (const part of [".chat-composer", ".chat-search", ".chat-me select", ".chat-list"]) assert.ok(await page.locator(part).isVisible(), part);
  await onPaper(page);
  await page.emulateMedia({ media: "print" });
  for (const part of [".chat-composer", ".chat-search", ".chat-me", ".chat-list"]) assert.equal(await page.locator(part).isVisible(), false, part);
  assert.ok(await page.locator(".chat-in", { hasText: "请把记录打印给我" }).isVisible());
  assert.ok(await page.locator(".chat-customer").isVisible());
});

flow("the payer's page is whole on paper, with the order's facts and its code, and nothing to press", { as: "finance" }, async (page) => {
  const { list } = await call("POST", "/payOrder/page", { status: "created", pageSize: 100 }, "finance");
  for (const provider of ["alipay", "link_pool"]) {
    const order = list.find((one) => one.provider === provider);
    const { token } = await call("GET", `/payOrder/payPage/${order.id}`, undefined, "finance");
    const answer = await page.goto(`/pay/${token}`);
    assert.equal(answer.status(), 200);
    assert.ok((await controls(page)) > 0, "the screen has what is pressed");
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await onPaper(page);
      await page.emulateMedia({ media: "print", colorScheme: scheme });
      assert.equal(await controls(page), 0);
      const parts = ["h1", ".amount", "[role=status]", "dl", ...(provider === "link_pool" ? ["svg"] : [])];
      for (const part of parts) assert.ok(await page.locator(part).isVisible(), part);
      await page.emulateMedia({ media: "screen", colorScheme: scheme });
    }
  }
});
