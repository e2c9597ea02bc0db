/// <reference types="node" />
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { DRAFT_LIFETIME_MS, type Draft, findDraft, forgetKey, keepDraft, LONGEST_DRAFT, MOST_DRAFTS } from "./drafts";
import { keepLogin, leave, logout, markDraft } from "./session";

/** A storage whose names are its own properties, as those of a browser's. */
class Storage {
  [name: string]: unknown;
  getItem(name: string) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }
  setItem(name: string, value: string) {
    this[name] = value;
  }
  removeItem(name: string) {
    delete this[name];
  }
  clear() {}
}

/** The keys that the server gives, by the token of the session. */
const keys: Record<string, string> = { seven: "07".repeat(32), eight: "08".repeat(32) };
let calls: string[];
let now: number;
let storage: Storage;

const name = (form: string, account = 7) => `draft ${account} ${form}`;
const draft = (text: string): Draft => ({ version: 3, inputs: { name: text, tags: ["1", "2"] }, base: { name: "before", tags: [] } });
const signIn = (token: "seven" | "eight") => {
  forgetKey();
  keepLogin({ token, user: { id: token === "seven" ? 7 : 8 } });
};
const keep = (form: string, text = form) => keepDraft(7, name(form), draft(text), () => true);
const kept = () => Object.keys(storage).filter((key) => key.startsWith("draft "));

beforeEach(() => {
  calls = [];
  now = 1_800_000_000_000;
  storage = new Storage();
  const globals = {
    localStorage: storage,
    sessionStorage: new Storage(),
    location: { assign() {}, reload() {} },
    document: { documentElement: { lang: "zh-CN" } },
    fetch: async (url: string, { headers }: { headers: Record<string, string> }) => {
      calls.push(url);
      const key = keys[headers["token"] ?? ""];
      return Response.json(key ? { code: "0000", desc: "", data: { key } } : { code: "5003", desc: "busy", data: null });
    },
  };
  for (const [global, value] of Object.entries(globals))
    Object.defineProperty(globalThis, global, { value, configurable: true, writable: true });
  mock.restoreAll();
  mock.method(Date, "now", () => now);
  mock.method(console, "info", () => undefined);
  signIn("seven");
});

test("a draft is found again with its time, and its text is not in the storage", async () => {
  await keep("channel new", "北辰");
  now += 1000;
  assert.deepEqual(await findDraft(name("channel new")), { ...draft("北辰"), at: now - 1000, isSent: false });
  assert.ok(!JSON.stringify(storage).includes("北辰"));
  assert.equal(await findDraft(name("channel 5")), null);
  assert.deepEqual(calls, ["/api/admin/me/draftKey"], "the key is fetched once");
});

test("a draft whose form was sent without an answer says so until it is kept again", async () => {
  await keep("channel new", "北辰");
  markDraft(name("channel new"), true);
  assert.equal((await findDraft(name("channel new")))?.isSent, true);
  markDraft(name("channel new"), false);
  assert.equal((await findDraft(name("channel new")))?.isSent, false);
  markDraft(name("channel 5"), true);
  assert.equal(kept().length, 1);
});

test("the latest draft replaces the one before", async () => {
  await keep("channel new", "one");
  await keep("channel new", "two");
  assert.equal((await findDraft(name("channel new")))?.inputs["name"], "two");
  assert.equal(kept().length, 1);
});

test("a draft opens with the key of its account and under its own name only; what does not open is removed", async () => {
  await keep("channel new");
  const text = storage.getItem(name("channel new")) as string;
  storage.setItem(name("plan new"), text);
  storage.setItem(name("channel new", 8), text);
  storage.setItem(name("org new"), text.replace(/"at":\d+/, `"at":${now - 1}`));
  for (const form of ["plan new", "org new"]) assert.equal(await findDraft(name(form)), null);
  forgetKey();
  storage.setItem("token", "eight");
  assert.equal(await findDraft(name("channel new", 8)), null);
  assert.deepEqual(kept(), [name("channel new")]);
});

test("an entry that is no draft, or is older than seven days, is removed", async () => {
  await keep("channel new");
  for (const [form, text] of Object.entries({ a: "", b: "{", c: "null", d: '{"at":"x"}', e: `{"at":${now}}` }))
    storage.setItem(name(form), text);
  assert.equal(await findDraft(name("b")), null);
  now += DRAFT_LIFETIME_MS - 1;
  assert.ok(await findDraft(name("channel new")));
  now += 1;
  assert.equal(await findDraft(name("channel new")), null);
  assert.deepEqual(kept(), []);
});

test("of more than twenty drafts the oldest goes; a draft that is too long is not kept, nor the one before it", async () => {
  for (let i = 0; i <= MOST_DRAFTS; i++) {
    now += 1;
    await keep(`channel ${i}`);
  }
  assert.equal(kept().length, MOST_DRAFTS);
  assert.equal(storage.getItem(name("channel 0")), null);
  await keep("channel 5", "x".repeat(LONGEST_DRAFT));
  assert.equal(storage.getItem(name("channel 5")), null);
});

test("a full storage is no failure", async () => {
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await keep("channel new");
  assert.deepEqual(kept(), []);
});

test("no draft is kept once the form was saved, or the account has signed out", async () => {
  await keepDraft(7, name("channel new"), draft("late"), () => false);
  storage.removeItem("token");
  await keep("channel new", "out");
  signIn("eight");
  await keep("channel new", "of another tab");
  assert.deepEqual(kept(), []);
});

test("a key that did not arrive is fetched again", async () => {
  storage.setItem("token", "nobody");
  await assert.rejects(keep("channel new"));
  signIn("seven");
  await keep("channel new");
  assert.ok(await findDraft(name("channel new")));
});

test("drafts stay when their account signs in again, and go when it signs out or another one signs in", async () => {
  await keep("channel new");
  storage.setItem("draft", "not one");
  signIn("seven");
  assert.equal(kept().length, 1);
  signIn("eight");
  assert.equal(kept().length, 0);
  signIn("seven");
  await keep("channel new");
  await logout();
  assert.equal(kept().length, 1, "so it is when a login has expired");
  await leave();
  assert.deepEqual([kept(), storage.getItem("draft")], [[], "not one"]);
});
