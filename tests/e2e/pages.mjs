/**
 * What every page must do, in both languages and both themes: complete HTML before any script, the same picture from
 * server and browser, a strict policy, and no violation that axe finds. Each language has its own file, so that two
 * workers share the time.
 */
import assert from "node:assert/strict";
import { allRoutes, axe, flow, server, visit } from "./support.mjs";

/** Screens that other tests open, by the beginning of their address. */
const ELSEWHERE = [
  "/dashboard/workplace", "/crm/", "/chart/", "/chartMon/", "/chat/client", "/chat/conversation", "/chat/manage/figures",
  "/finance/account/overview", "/finance/account/entries", "/finance/account/adjustments", "/finance/invoice/invoiceable",
  "/finance/partner/items", "/finance/partner/adjustments",
];

/** Exceptions of screens: the heading if it is not the title, the address, and what the test opens there. */
const SPECIAL = {
  "/login": { as: undefined, titles: { "zh-CN": "登录 Leadlane", "en-US": "Log in to Leadlane" } },
  "/home": { titles: { "zh-CN": "欢迎使用 Leadlane", "en-US": "Welcome to Leadlane" } },
  "/channel/list": { open: openOnChannels },
  // The editors of its terms come after the page.
  "/plan/list/new": { moves: true },
  "/product/list": { open: openOnProducts },
  "/org/list": { open: openOnOrgs },
  "/finance/invoice": { titles: { "zh-CN": "发票列表", "en-US": "Invoices" } },
  "/finance/partner": { titles: { "zh-CN": "渠道对账单", "en-US": "Channel statements" } },
  "/payConfig/order-list/reports": { titles: { "zh-CN": "核实失败的渠道通知", "en-US": "Provider reports that failed" } },
  "/user/feedback-list": { titles: { "zh-CN": "反馈列表", "en-US": "Feedback" } },
  "/admin/list": { open: openOnAdmins },
  "/admin/role-list": { open: openOnRoles },
  "/admin/menu": { open: openOnMenu },
  "/admin/session": { moves: true },
  "/account/setting": { as: "operator", open: openOnSetting },
  "/admin/notice": { open: openOnNotices },
  "/dashboard/server": { moves: true },
  "/dashboard/monitor": { moves: true },
  "/visualization": { moves: true },
  "/admin/dictionary": { query: "type=occupation" },
  "/project/list": { titles: { "zh-CN": "项目列表", "en-US": "Projects" } },
  "/project/form": { as: "operator" },
  // The demo's second project was returned and corrected, its eighth is with its applicant.
  "/project/profile": { query: "id=2", titles: { "zh-CN": "天璇消费金融接入", "en-US": "天璇消费金融接入" } },
  "/result/success": { as: "operator", query: "id=5", titles: { "zh-CN": "提交成功", "en-US": "Submitted successfully" } },
  "/result/error": { as: "operator", query: "id=8", titles: { "zh-CN": "项目被退回", "en-US": "The project was returned" } },
  // S8.07 S8.08 S8.09
  "/exception/403": { status: 403, titles: { "zh-CN": "您没有权限访问此资源。", "en-US": "Access to this resource on the server is denied." } },
  "/exception/404": { status: 404, titles: { "zh-CN": "抱歉，页面不见了～", "en-US": "Whoops, this page is gone." } },
  "/exception/500": { status: 500, titles: { "zh-CN": "服务器出错了，请稍后再试。", "en-US": "Internal server error" } },
};

/** The account that opens a screen, by the beginning of its address; the administrator opens all others. */
const VIEWERS = { "/home": "operator", "/finance/": "finance", "/payConfig/": "finance", "/plan/push-list": "operator", "/org/receipt": "finance", "/chat/": "operator", "/account/": "operator", "/exception/": "service" };

// S1.03 S1.04 S1.05 S2.16
const PAGES = [
  ...allRoutes()
    .filter(({ page, path }) => page && path && !path.includes(":") && !ELSEWHERE.some((start) => path.startsWith(start)))
    .map(({ path, title }) => {
      const as = Object.entries(VIEWERS).find(([start]) => path.startsWith(start))?.[1] ?? "admin";
      const { query, ...special } = SPECIAL[path] ?? {};
      return { address: query ? `${path}?${query}` : path, as, titles: title, ...special };
    }),
  { address: "/nowhere", as: "operator", status: 404, titles: { "zh-CN": "抱歉，页面不见了～", "en-US": "Whoops, this page is gone." } },
  { address: "/org/receipt/1", as: "finance", titles: { "zh-CN": /^RC\d/, "en-US": /^RC\d/ } },
  { address: "/org/receipt/1?tab=history", as: "finance", titles: { "zh-CN": /^RC\d/, "en-US": /^RC\d/ } },
  { address: "/channel/list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/channel/list/1?tab=access", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/channel/list/1?tab=test", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/user/list/1", as: "operator", titles: { "zh-CN": /^U\d{8}-/, "en-US": /^U\d{8}-/ } },
  { address: "/plan/list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/plan/push-list/1", as: "operator", titles: { "zh-CN": /^PS\d/, "en-US": /^PS\d/ } },
  { address: "/admin/test/1", as: "admin", titles: { "zh-CN": /^CC\d{8}-/, "en-US": /^CC\d{8}-/ } },
  { address: "/user/match-list/1", as: "operator", titles: { "zh-CN": /^M\d{8}-/, "en-US": /^M\d{8}-/ } },
  { address: "/user/black-list/1", as: "operator", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/user/feedback-list/1", as: "operator", titles: { "zh-CN": /^U\d{8}-/, "en-US": /^U\d{8}-/ } },
  { address: "/product/list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/org/list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/org/list/1?tab=delivery", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/org/list/1?tab=pushes", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/org/list/1?tab=receipts", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/org/payee/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/payConfig/list/1", as: "finance", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/payConfig/pool-list/1", as: "finance", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/finance/account/adjustments/1", as: "finance", titles: { "zh-CN": /^TZ\d/, "en-US": /^TZ\d/ } },
  { address: "/payConfig/order-list/refunds/1", as: "finance", titles: { "zh-CN": /^RF\d/, "en-US": /^RF\d/ } },
  { address: "/payConfig/order-list/exceptions/1", as: "finance", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/list/1?tab=rights", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/role-list/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/role-list/1?tab=holders", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/agreement/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/admin/sms/1", as: "admin", titles: { "zh-CN": /^SMS-1\b/, "en-US": /^SMS-1\b/ } },
  { address: "/admin/audit/1", as: "admin", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/payConfig/order-list/statements/1", as: "finance", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/payConfig/order-list/differences/1", as: "finance", titles: { "zh-CN": /./, "en-US": /./ } },
  { address: "/chat/group/1", as: "operator", titles: { "zh-CN": "贷前咨询", "en-US": "贷前咨询" } },
  { address: "/chat/manage/1", as: "service", titles: { "zh-CN": "小何", "en-US": "小何" } },
  { address: "/chat/wechat/1", as: "operator", titles: { "zh-CN": "贷款服务号", "en-US": "贷款服务号" } },
  { address: "/chat/reply/3", as: "service", titles: { "zh-CN": "利率", "en-US": "利率" } },
  { address: "/account/center?tab=exports", as: "operator", titles: { "zh-CN": "用户中心", "en-US": "User center" } },
  { address: "/account/center?tab=logins", as: "operator", titles: { "zh-CN": "用户中心", "en-US": "User center" } },
];

const NONE_UNREAD = { code: "0000", desc: "", data: { message: 0, notice: 0, todo: 0 } };

const WORDS = {
  "zh-CN": { create: "新增渠道", createAdmin: "新增管理员", createOrg: "新增机构", createProduct: "新增产品", createRole: "新增角色", createLink: "新增外部链接", more: "更多", columns: "显示的列", close: "关闭", cancel: "取消", changeFace: "更换头像", editData: "编辑资料", createNotice: "发布公告", noticeFor: "发给", recipients: "收件人", discard: "放弃修改" },
  "en-US": { create: "New channel", createAdmin: "New administrator", createOrg: "New organisation", createProduct: "New product", createRole: "New role", createLink: "New link", more: "More", columns: "Columns", close: "Close", cancel: "Cancel", changeFace: "Change picture", editData: "Edit", createNotice: "New announcement", noticeFor: "Send to", recipients: "Recipients", discard: "Discard" },
};

/** The tests of one language. Only the style sheet depends on the theme, so each page is dark in one of the two languages, in turns. */
export function pagesIn(locale) {
  for (const [i, page] of PAGES.entries()) {
    const isDark = i % 2 === (locale === "zh-CN" ? 0 : 1);
    for (const theme of isDark ? ["light", "dark"] : ["light"]) {
      // S1.13 S4.04 S9.08
      flow(`${page.address} in ${locale}, ${theme}`, { as: page.as, locale, theme, allow: [/status of (403|404|500)/, /^status 500: .*\/exception\/500$/] }, async (tab) => {
        // The number of unread messages arrives after the page, and would be in only one of the two outlines.
        if (theme === "light") await tab.route("**/api/message/unread", (route) => route.fulfill({ json: NONE_UNREAD }));
        const response = await visit(tab, page.address);
        assert.equal(response.status(), page.status ?? 200);
        checkHeaders(response.headers());
        const html = await response.text();
        assert.ok(html.split(/<h1[^>]*>/).some((text) => text.match(page.titles[locale])?.index === 0), "the heading is in the HTML");
        assert.ok(html.includes(`<html lang="${locale}"`));
        assert.equal(/<body dark/.test(html), theme === "dark");
        assert.ok(!/<[^>]+ style=/.test(html), "the policy would drop inline styles");

        await tab.getByRole("heading", { level: 1, name: page.titles[locale] }).waitFor();
        const hydrated = await outline(tab);
        await axe(tab);
        await page.open?.(tab, WORDS[locale]);
        // Only the style sheet depends on the theme. Screens with times differ with every request, and only the server draws pictures.
        if (theme === "light" && !page.moves) assert.deepEqual(await outlineFromBrowser(tab, page.address), hydrated);
      });
    }
  }
}

/** The form of an announcement, with its choice of recipients. */
async function openOnNotices(page, words) {
  await page.getByRole("button", { name: words.createNotice }).click();
  await page.getByRole("dialog").getByLabel(words.noticeFor).selectOption("role");
  await page.getByRole("dialog").getByLabel(words.recipients).waitFor();
  await axe(page);
  await page.getByRole("button", { name: words.cancel }).click();
  await page.getByRole("button", { name: words.discard }).click();
  await page.getByRole("dialog").first().waitFor({ state: "detached" });
}

/** Everything that opens over the list of channels, one after the other, each before axe. */
async function openOnChannels(page, words) {
  const row = page.locator("tbody tr").first();
  await row.getByRole("button", { name: words.more }).click();
  await page.getByRole("menu").waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await page.getByRole("button", { name: words.create }).click();
  await page.getByRole("dialog", { name: words.create }).waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("alert").first().waitFor();
  await axe(page);
}

/** The form of an organisation with its upload. */
async function openOnOrgs(page, words) {
  await page.getByRole("button", { name: words.createOrg }).click();
  await page.getByRole("dialog", { name: words.createOrg }).locator(".ll-upload-zone").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("alert").first().waitFor();
  await axe(page);
}

/** The form of a product with its editors. */
async function openOnProducts(page, words) {
  await page.getByRole("button", { name: words.createProduct }).click();
  await page.getByRole("dialog", { name: words.createProduct }).locator(".ll-upload-zone").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog").getByRole("alert").first().waitFor();
  await axe(page);
}

/** The form of one's own data, and the upload of a portrait. */
async function openOnSetting(page, words) {
  await page.getByRole("button", { name: words.changeFace }).click();
  await page.getByRole("dialog", { name: words.changeFace }).waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: words.editData }).click();
  await page.getByRole("dialog").waitFor();
  await axe(page);
}

async function openOnAdmins(page, words) {
  await page.getByRole("button", { name: words.columns }).click();
  await page.getByRole("menu").waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await page.getByRole("button", { name: words.createAdmin }).click();
  await page.getByRole("dialog", { name: words.createAdmin }).waitFor();
  await axe(page);
}

async function openOnRoles(page, words) {
  await page.getByRole("button", { name: words.createRole }).click();
  await page.getByRole("tree").waitFor();
  await axe(page);
}

async function openOnMenu(page, words) {
  await page.getByRole("button", { name: words.createLink }).click();
  await page.getByRole("dialog", { name: words.createLink }).getByRole("radio").first().waitFor();
  await axe(page);
}

function checkHeaders(headers) {
  const policy = headers["content-security-policy"] ?? "";
  assert.match(policy, /^default-src 'none';/);
  assert.ok(!/unsafe|\*|https?:/.test(policy), policy);
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["x-content-type-options"], "nosniff");
}

/**
 * The same page drawn by the browser alone, as after a failed render on the server. For the
 * comparison: React itself does not compare attributes while it hydrates.
 */
async function outlineFromBrowser(page, address) {
  await page.route(server.origin + address, async (route) => {
    const response = await route.fetch();
    const html = (await response.text())
      .replace("<html ", '<html data-render="shell" ')
      .replace(/<div id="root">[^]*<\/div>\n<script type="application\/json"/, '<div id="root"></div>\n<script type="application/json"');
    await route.fulfill({ response, body: html });
  });
  await visit(page, address);
  assert.equal(await page.evaluate(() => document.documentElement.dataset["render"]), "shell");
  return outline(page);
}

/** The page's elements and texts, one a line, without the ids that React numbers anew each time. */
function outline(page) {
  return page.evaluate(async () => {
    // Effects after the first paint, such as the tabs', have run by the second frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const lines = [];
    const walk = (node, depth) => {
      const indent = " ".repeat(depth);
      node.normalize();
      for (const child of node.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) lines.push(indent + child.data);
        if (child.nodeType !== Node.ELEMENT_NODE) continue;
        const attributes = [...child.attributes].map(({ name, value }) => `${name}=${value.replace(/_[rR]_\w*_/g, "_id_")}`).sort();
        lines.push(`${indent}<${child.localName} ${attributes.join(" ")}>`);
        walk(child, depth + 1);
      }
    };
    // React parts neighbouring texts with comments where they come from the server.
    const root = document.getElementById("root").cloneNode(true);
    const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
    const found = [];
    while (comments.nextNode()) found.push(comments.currentNode);
    for (const comment of found) comment.remove();
    // Only the server writes what is for browsers without scripts.
    for (const noscript of root.querySelectorAll("noscript")) noscript.remove();
    walk(root, 0);
    return lines;
  });
}
