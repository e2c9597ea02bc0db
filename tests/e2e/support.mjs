/**
 * What the browser tests share: a server with a demo business in a temporary folder, a browser, and pages that record
 * what goes wrong. Every `flow` is a test in a fresh browser context. It fails when anything went wrong unseen: an error
 * or warning in the console, a failed request, a hydration mismatch, a request to another host.
 *
 * demo.mjs lists the environment variables.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { environment, fill, PASSWORD } from "./demo.mjs";

export { allRoutes } from "../../js/app/page-table.mjs";
export { PASSWORD };

const require = createRequire(new URL("../../js/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const { source: axeSource } = require("axe-core/axe.min.js");

/** Timeout of one condition; only a broken test waits this long. */
const WAIT_MS = 20_000;
/** The first is Chromium without its windows: a page costs it a third of the CPU. */
const CHROMIUM = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);
const SWITCHES = [
  "--no-sandbox",
  // Each test has a new renderer, in which no code runs long enough to repay the cost of its optimisation.
  "--js-flags=--no-maglev --no-turbofan",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The server of this file's tests: its address and its data folder. */
export const server = { origin: "", data: "" };

let browser;
let first;
let sheet;
/** What login answered, by account. */
const logins = new Map();

before(async () => {
  assert.ok(process.env["BINARY"], "BINARY must name the program under test; `make e2e` does it");
  server.data = await mkdtemp(path.join(os.tmpdir(), "leadlane-e2e-"));
  await fill(server.data);
  first = await serve();
  server.origin = first.origin;
  // Without a locale the names of downloads would be ASCII.
  const env = { LANG: "C.UTF-8", ...process.env };
  browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES, env });
});

after(async () => {
  await browser?.close();
  await first?.stop();
  if (server.data) await rm(server.data, { recursive: true });
});

/** Starts a server over this file's data folder, with more settings; a second one stands beside the first. */
export async function serve(settings = {}) {
  const child = spawn(process.env["BINARY"], ["serve"], { env: { ...environment(server.data), ...settings }, stdio: ["ignore", "pipe", "inherit"] });
  const line = await firstLine(child);
  let stopping = false;
  child.once("exit", (code, signal) => stopping || console.error(`the server ended by itself: ${signal ?? code}`));
  const stop = async () => {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  };
  return { origin: /https?:\/\/\S+/.exec(line)[0], stop };
}

function firstLine(program) {
  return new Promise((resolve, reject) => {
    createInterface(program.stdout).once("line", resolve);
    program.once("exit", (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });
}

/**
 * A test in a browser page of its own.
 *
 * @param {string} name what it proves
 * @param {object} profile `as`: the account that is signed in; `locale`, `theme`: as chosen earlier;
 *   `first`: the browser's first visit; `width`, `height`: of the window; `script: false`: JavaScript off; `allow`: patterns of
 *   complaints that belong to the test, such as the status line of a 404
 * @param {(page, tools) => Promise<void>} run
 */
export function flow(name, profile, run) {
  test(name, async () => {
    const visit = await openPage(profile);
    try {
      await run(visit.page, visit);
      assert.deepEqual(visit.complaints(), []);
    } catch (error) {
      error.message += await lastSight(visit.page, name);
      throw error;
    } finally {
      await visit.context.close();
    }
  });
}

/** A second person's page within a flow; the caller closes its context. */
export async function openPage({ as, locale, theme, first, width = 1440, height = 900, script = true, allow = [] } = {}) {
  const context = await browser.newContext({
    baseURL: server.origin,
    viewport: { width, height },
    javaScriptEnabled: script,
    // Neither the machine's language nor its clock's zone may show anywhere.
    locale: "fr-FR",
    timezoneId: "America/New_York",
    acceptDownloads: true,
  });
  context.setDefaultTimeout(WAIT_MS);
  const { cookies, storage } = await stored({ as, locale, theme, first });
  await context.addCookies(cookies);
  await context.addInitScript(remember, storage);
  const page = await context.newPage();
  // Without scripts the browser refuses to preload them too.
  const complaints = watch(page, script ? allow : [...allow, /\.js csp$/]);
  return { page, context, complaints };
}

/** The file of the pages' style sheet. */
export async function sheetOf(origin = server.origin) {
  return /\/assets\/([\w.-]+\.css)/.exec(await (await fetch(`${origin}/login`)).text())[1];
}

/** Cookies and local storage as an earlier visit left them; before the `first` one the browser has not loaded the style sheet. */
async function stored({ as, locale, theme, first }) {
  sheet ??= await sheetOf();
  const cookies = first ? [] : [{ name: "sheet", value: sheet, url: server.origin, sameSite: "Lax" }];
  const storage = {};
  for (const [name, value] of Object.entries({ locale, theme })) {
    if (!value) continue;
    cookies.push({ name, value, url: server.origin, sameSite: "Lax" });
    storage[name] = value;
  }
  if (as) {
    const login = await signIn(as);
    cookies.push({ name: "token", value: login.token, url: server.origin, httpOnly: true, sameSite: "Lax" });
    Object.assign(storage, { token: login.token, user_info: JSON.stringify(login) });
  }
  return { cookies, storage };
}

/** Runs in the browser before a window's first document: fills its local storage, once. */
function remember(storage) {
  if (location.protocol === "about:" || window.name === "visited") return;
  window.name = "visited";
  for (const [name, value] of Object.entries(storage)) localStorage.setItem(name, value);
}

/**
 * Collects everything that goes wrong on a page, in the order it happens. React reports hydration
 * mismatches as page errors.
 */
function watch(page, allow) {
  const seen = [];
  const complain = (text) => {
    if (!allow.some((pattern) => pattern.test(text))) seen.push(text);
  };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complain(`page error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A navigation that overtakes a load aborts it; that is no failure.
    const why = request.failure()?.errorText;
    if (why !== "net::ERR_ABORTED") complain(`failed request: ${request.method()} ${request.url()} ${why}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== server.origin) complain(`request to another host: ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500) complain(`status ${response.status()}: ${response.url()}`);
  });
  return () => seen;
}

/** Saves a screenshot of a failed test in the folder of temporary files, and returns a text with its path. */
async function lastSight(page, name) {
  const file = path.join(os.tmpdir(), `leadlane-e2e-${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 60)}.png`);
  try {
    await page.screenshot({ path: file });
    return `\n    at ${page.url()}, see ${file}`;
  } catch {
    return `\n    at ${page.url()}`;
  }
}

/** Signs an account in by the API; the answer is kept, so that each account signs in once for each test file. */
export async function signIn(account, password = PASSWORD) {
  const key = `${account}:${password}`;
  if (!logins.has(key)) logins.set(key, await call("POST", "/admin/login", { username: account, password }));
  return logins.get(key);
}

/** Signs in again the next time: for a test that ends an account's sessions. */
export function forgetSignIn(account) {
  for (const key of logins.keys()) if (key.startsWith(`${account}:`)) logins.delete(key);
}

/** Signs in as a person does, on the login page that is open. */
export async function signInByForm(page, account, password = PASSWORD) {
  await page.getByLabel("用户名").fill(account);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录", exact: true }).click();
}

/** A call of the API, as `account` when one is given; anything but success throws. */
export async function call(method, route, body, account, password) {
  const answer = await ask(method, route, body, account, password);
  assert.equal(answer.code, "0000", `${method} ${route}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** The same with its whole envelope. */
export async function ask(method, route, body, account, password) {
  const headers = { "content-type": "application/json", "accept-language": "zh-CN" };
  if (account) headers["token"] = (await signIn(account, password)).token;
  // As on pages, each call has its own key, so that the same body within five seconds is another call.
  if (account && method !== "GET") headers["idempotency-key"] = crypto.randomUUID();
  const response = await fetch(`${server.origin}/api${route}`, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
}

/** The document of an address as the server sends it to an account: status, headers and text. */
export async function documentOf(address, { as, locale, theme, first } = {}) {
  const { cookies } = await stored({ as, locale, theme, first });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const response = await fetch(server.origin + address, { headers: { cookie }, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Opens an address and waits until the page is hydrated. If a dialog has just closed, it waits for the dialog's step back in the
 * history, which would end the visit.
 */
export async function visit(page, address) {
  await page.waitForFunction(() => !history.state?.overlays || document.querySelector("[data-open], :popover-open"));
  const response = await page.goto(address);
  await hydrated(page);
  return response;
}

/** Waits until React has hydrated the server's page, or drawn its own. The sign-in page loads its scripts when it is used. */
export async function hydrated(page) {
  await page.waitForFunction(() => {
    if (document.querySelector(".app-login")) dispatchEvent(new Event("pointerdown"));
    const root = document.getElementById("root");
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
    const fiber = key && root[key].stateNode?.current;
    return fiber && fiber.child !== null && fiber.memoizedState?.isDehydrated === false;
  });
}

/** Waits until `check` gives something true, and gives it back. */
export async function until(check, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const value = await check();
    if (value) return value;
    assert.ok(Date.now() < end, `in vain waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until a message is shown, and returns it. */
export async function toast(page, text) {
  const message = page.locator(".ll-toast", { hasText: text });
  await message.waitFor();
  return message;
}

/** Chooses cities, or whole provinces, in the picker of a label by typing what finds them: `[typed, option]`. */
export async function choosePlaces(page, label, ...choices) {
  const picker = page.getByRole("combobox", { name: label });
  await picker.click();
  for (const [typed, option] of choices) {
    await picker.and(page.locator("input")).fill(typed);
    await page.getByRole("listbox").getByRole("option", { name: option, exact: true }).click();
  }
}

/** Clicks an action of a row, which is a button of its own or an entry of the row's menu. */
export async function act(page, row, name) {
  const button = row.getByRole("button", { name, exact: true });
  const menu = row.getByRole("button", { name: "更多" });
  await button.or(menu).first().waitFor();
  if (await button.count()) return button.click();
  await menu.click();
  return page.getByRole("menuitem", { name, exact: true }).click();
}

/** Shows columns of a list that are hidden at first, as the viewer would choose them. */
export async function showColumns(page, api, ...keys) {
  const choice = JSON.stringify({ columns: Object.fromEntries(keys.map((key) => [key, true])) });
  await page.addInitScript(([name, text]) => localStorage.setItem(name, text), [`list:${api}`, choice]);
}

/** Asserts that axe finds nothing on the page as it is now. */
export async function axe(page) {
  // The page's policy lets no foreign script in; the browser's debugger may still evaluate one.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`) }));
  });
  assert.deepEqual(violations, [], `axe on ${page.url()}`);
}

/** Goes to a page by the menu, whose group may be closed. */
export async function byMenu(page, group, title) {
  const menu = page.locator(".app-menu");
  const link = menu.getByRole("link", { name: title, exact: true });
  if (!(await link.isVisible())) await menu.getByText(group, { exact: true }).click();
  await link.click();
}
