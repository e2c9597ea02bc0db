/// <reference types="node" />
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { userStore } from "../lib/user-store";
import { setLeadPoll } from "./lead-flag";
import { POLL_MS, pollLeads, slower } from "./lead-poll";

/** The answers to the next calls; when none is left, calls fail. */
let answers: { code: string; data: unknown }[] = [];
let calls: number;
let stop = () => {};

class Storage extends Map<string, string> {
  getItem(key: string): string | null {
    return this.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.set(key, value);
  }
  removeItem(key: string): void {
    this.delete(key);
  }
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  calls = 0;
  const page = Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { lang: "zh-CN" } });
  const globals = {
    localStorage: new Storage(),
    sessionStorage: new Storage(),
    location: { reload() {} },
    document: page,
    addEventListener() {},
    removeEventListener() {},
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  // A plain http origin: no locks.
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true, writable: true });
  mock.method(console, "warn", () => {});
  mock.method(globalThis, "fetch", async (url: string) => {
    // An expired login also logs out.
    if (url !== "/api/crm/getNewUserCount") return Response.json({ code: "0000", desc: "", data: null });
    calls += 1;
    const answer = answers.shift();
    if (!answer) throw new TypeError("no network");
    return Response.json({ desc: "", ...answer });
  });
});

afterEach(() => {
  stop();
  mock.timers.reset();
  mock.restoreAll();
});

/** Runs everything that does not wait for a timer. */
const settled = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};

const later = async (ms: number) => {
  mock.timers.tick(ms);
  await settled();
};

// S3.02
test("the user store tells who is there and how the poll goes", async () => {
  assert.deepEqual({ ...userStore }, { name: "", role: "", token: null, isTimers: false, timerNums: 0, timers: null });
  localStorage.setItem("token", "t");
  localStorage.setItem("user_info", JSON.stringify({ token: "t", user: { name: "周敏", role: "operator" } }));
  answers = [
    { code: "0000", data: 0 },
    { code: "0000", data: 0 },
  ];
  setLeadPoll(true);
  stop = pollLeads(() => {});
  await settled();
  assert.deepEqual([userStore.name, userStore.role, userStore.token], ["周敏", "operator", "t"]);
  assert.deepEqual([userStore.isTimers, userStore.timerNums], [true, 1]);
  assert.notEqual(userStore.timers, null);
  await later(POLL_MS);
  assert.equal(userStore.timerNums, 2);
  setLeadPoll(false);
  await settled();
  assert.deepEqual([userStore.isTimers, userStore.timers], [false, null]);
  localStorage.setItem("user_info", "no json");
  assert.equal(userStore.name, "");
});

// S9.05
test("it asks every three seconds, only with the flag and a token", async () => {
  assert.equal(POLL_MS, 3000);
  const counts: number[] = [];
  answers = [1, 2, 3, 4].map((data) => ({ code: "0000", data }));
  stop = pollLeads((count) => void counts.push(count));
  setLeadPoll(true);
  await later(POLL_MS);
  assert.equal(calls, 0, "without a token");
  localStorage.setItem("token", "t");
  setLeadPoll(true);
  await settled();
  await later(POLL_MS - 1);
  assert.deepEqual(counts, [1]);
  await later(1);
  assert.deepEqual(counts, [1, 2]);
  localStorage.setItem("isRefresh", "false");
  await later(10 * POLL_MS);
  assert.equal(calls, 2, "without the flag");
});

test("no answer makes it wait longer and longer, an answer sets it right, an expired login ends it", async () => {
  localStorage.setItem("token", "t");
  setLeadPoll(true);
  answers = [];
  stop = pollLeads(() => {});
  await settled();
  await later(POLL_MS);
  assert.equal(calls, 1, "twice the wait");
  answers = [
    { code: "0000", data: 0 },
    { code: "1006", data: null },
    { code: "2000", data: null },
  ];
  await later(POLL_MS);
  assert.equal(calls, 2);
  await later(POLL_MS);
  assert.equal(calls, 3, "a refusal slows it down too");
  await later(2 * POLL_MS);
  assert.equal(calls, 4);
  await later(100 * POLL_MS);
  assert.equal(calls, 4, "nothing is asked after code 2000");
  assert.equal(userStore.isTimers, false);
  assert.deepEqual([slower(3000), slower(48_000), slower(60_000)], [6000, 60_000, 60_000]);
});
