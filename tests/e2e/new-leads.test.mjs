/** New leads: the poll behind the pages, its sound, and the notification that stays. */
import assert from "node:assert/strict";
import { axe, flow, hydrated, until, visit } from "./support.mjs";

const CALL = "/api/crm/getNewUserCount";
const POLL_MS = 3000;

const notice = (page, title = "系统提示") => page.getByRole("group", { name: title });
const bySwitch = async (page, name = "新线索提醒") => {
  await page.locator(".app-user-button").click();
  await page.getByRole("switch", { name }).click();
  await page.keyboard.press("Escape");
};
const tones = (page) => page.evaluate(() => window.tones ?? 0);

/** Runs before a document's own scripts: sets the flag, as an earlier visit would have. */
const flagged = () => localStorage.setItem("isRefresh", "true");

/** Runs before a document's own scripts: counts every tone that the page plays. */
function listen() {
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    window.tones = (window.tones ?? 0) + 1;
    return start.apply(this, when);
  };
}

/** Answers the polls of a whole browser with `leads.count`, and returns the pages that polled. */
async function answerWith(context, leads) {
  const polls = [];
  await context.route(`**${CALL}`, (route) => {
    polls.push(route.request().frame().page());
    if (leads.count === null) return route.abort("connectionfailed");
    return route.fulfill({ json: { code: "0000", desc: "", data: leads.count } });
  });
  return polls;
}

/**
 * Advances a page's clock by one poll at a time until `check` holds. The clock stops while a call is
 * under way, or the call would time out before the server could answer.
 */
async function whilePolling(page, check, what) {
  const pending = new Set();
  const begun = (request) => request.url().includes("/api/") && pending.add(request);
  const ended = (request) => pending.delete(request);
  page.on("request", begun).on("requestfinished", ended).on("requestfailed", ended);
  await until(async () => {
    if (pending.size === 0) await page.clock.runFor(POLL_MS);
    return check();
  }, what);
  page.off("request", begun).off("requestfinished", ended).off("requestfailed", ended);
}

/** Advances the clock by a number of polls. */
function turns(page, count) {
  let left = count;
  return whilePolling(page, () => --left < 0, `${count} turns`);
}

/** Makes a page visible or hidden. */
const show = (page, visibilityState) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visibilityState);

// S9.05 S9.06 S7.29
flow("a salesperson turns the alert on and is told of the leads of his own", { as: "north.sales1" }, async (page) => {
  const polls = [];
  page.on("request", (request) => request.url().endsWith(CALL) && polls.push(request));
  await page.addInitScript(listen);
  await page.clock.install();
  await visit(page, "/home");
  await turns(page, 5);
  assert.deepEqual(polls, [], "nothing is asked without the flag");

  const answered = page.waitForResponse(`**${CALL}`);
  await bySwitch(page);
  const response = await answered;
  assert.deepEqual(await response.json(), { code: "0000", desc: "", data: 2 });
  assert.ok(response.request().headers()["token"]);
  await notice(page).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("isRefresh")), "true");
  assert.deepEqual(await notice(page).locator("p").allTextContents(), ["系统提示", "你有新用户线索，请及时处理！"]);
  const { right, top } = await notice(page).evaluate((box) => {
    const { right, top } = box.getBoundingClientRect();
    return { right: innerWidth - right, top };
  });
  assert.ok(right < 30 && top < 30, "at the top right");
  assert.equal(await notice(page).evaluate((box) => box.closest("[aria-live]").getAttribute("aria-live")), "assertive");
  await until(async () => (await tones(page)) === 2, "the sound");
  await axe(page);

  // It stays: for a minute, and after a reload.
  await turns(page, 20);
  assert.ok(await notice(page).isVisible());
  await page.reload();
  await hydrated(page);
  await notice(page).waitFor();
  await notice(page).getByRole("button", { name: "关闭新线索提示" }).click();
  await notice(page).waitFor({ state: "detached" });

  // The same leads give no second notification.
  const closed = polls.length;
  await whilePolling(page, () => polls.length >= closed + 3, "three more questions");
  assert.equal(await notice(page).count(), 0);
  assert.equal(await tones(page), 0, "nor heard, on the page since the reload");

  await bySwitch(page);
  await turns(page, 1);
  const off = polls.length;
  await turns(page, 5);
  assert.equal(polls.length, off, "switched off");
  assert.equal(await page.evaluate(() => localStorage.getItem("isRefresh")), "false");
});

// S9.06
flow("more leads, or any after there were none, are told again", { as: "north.manager" }, async (page, { context }) => {
  const leads = { count: 3 };
  const polls = await answerWith(context, leads);
  const answers = async (count) => {
    leads.count = count;
    const before = polls.length;
    await whilePolling(page, () => polls.length >= before + 2, `answers of ${count}`);
  };
  await page.addInitScript(flagged);
  await page.clock.install();
  await visit(page, "/home");
  const close = async () => {
    await notice(page).getByRole("button").click();
    await notice(page).waitFor({ state: "detached" });
  };
  await notice(page).waitFor();
  await close();
  await answers(2);
  assert.equal(await notice(page).count(), 0, "fewer are no news");
  await answers(3);
  await notice(page).waitFor();
  await answers(0);
  assert.ok(await notice(page).isVisible(), "it stays until it is closed");
  await close();
  await answers(1);
  await notice(page).waitFor();
});

// S9.06: browsers allow no sound before the user has done something.
flow("the sound waits for the first press where it must", { as: "north.manager" }, async (page, { context }) => {
  await answerWith(context, { count: 1 });
  await page.addInitScript(flagged);
  await page.addInitScript(listen);
  // The browser counts actions of a test as actions of the user, so the test overrides this.
  await page.addInitScript(() => Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false } }));
  await visit(page, "/home");
  await notice(page).waitFor();
  assert.equal(await tones(page), 0);
  await page.keyboard.press("Shift");
  await until(async () => (await tones(page)) === 2, "the sound after a press");
});

// S9.05
flow("one tab of two asks, and none that is hidden", { as: "north.manager" }, async (page, { context }) => {
  const polls = await answerWith(context, { count: 2 });
  const by = (tab) => polls.filter((poller) => poller === tab).length;
  await page.addInitScript(flagged);
  await page.clock.install();
  await visit(page, "/home");
  await whilePolling(page, () => by(page) >= 2, "the first tab's questions");
  const second = await context.newPage();
  await second.addInitScript(flagged);
  await visit(second, "/home");
  const before = by(page);
  await whilePolling(page, () => by(page) >= before + 3, "the first tab going on");
  assert.equal(by(second), 0, "the second tab leaves it to the first");
  await notice(second).waitFor();

  await show(page, "hidden");
  await whilePolling(second, () => by(second) >= 2, "the second tab's turn");
  const paused = by(page);
  await show(second, "hidden");
  await turns(second, 1);
  const all = polls.length;
  await turns(page, 10);
  await turns(second, 10);
  assert.equal(polls.length, all, "hidden tabs ask nothing");
  await show(page, "visible");
  await whilePolling(page, () => by(page) > paused, "the first tab again");

  // Closed in one, closed in all.
  await notice(second).getByRole("button").click();
  await notice(page).waitFor({ state: "detached" });
});

flow(
  "no network is nobody's news, and the poll comes back by itself",
  { as: "north.manager", allow: [/getNewUserCount/, /ERR_CONNECTION_FAILED/] },
  async (page, { context }) => {
    const leads = { count: null };
    const polls = await answerWith(context, leads);
    await page.addInitScript(flagged);
    await page.clock.install();
    await visit(page, "/home");
    await whilePolling(page, () => polls.length >= 3, "questions in vain");
    assert.equal(await page.locator(".ll-toast").count(), 0);
    leads.count = 1;
    await whilePolling(page, () => notice(page).isVisible(), "the news");
  },
);

flow("in English", { as: "north.sales1", locale: "en-US" }, async (page) => {
  await visit(page, "/home");
  await bySwitch(page, "New-lead alerts");
  await notice(page, "System notice").waitFor();
  assert.deepEqual(await notice(page, "System notice").locator("p").allTextContents(), [
    "System notice",
    "New leads are waiting",
  ]);
});
