/// <reference types="node" />
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { api, ApiError, envelope, TRANSPORT } from "./api";
import { holdLogin } from "./expired";
import { dismiss, toasts } from "./toast";

/** The browser as far as the client touches it. */
class Store extends Map<string, string> {
  getItem(name: string) {
    return this.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    this.set(name, value);
  }
  removeItem(name: string) {
    this.delete(name);
  }
}

interface SentRequest {
  url: string;
  init: RequestInit & { headers: Record<string, string> };
}

let requests: SentRequest[];
let answer: (url: string, init: RequestInit) => Response | Promise<Response>;
const storage = new Store();
const reload = mock.fn();
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const messages = () => toasts().map(({ kind, text }) => `${kind}: ${text}`);

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  requests = [];
  storage.clear();
  storage.setItem("token", "t1");
  Object.assign(globalThis, {
    localStorage: storage,
    sessionStorage: new Store(),
    location: { reload },
    document: { documentElement: { lang: "en-US" } },
    fetch: async (url: string, init: SentRequest["init"]) => {
      requests.push({ url, init });
      return answer(url, init);
    },
  });
  mock.method(console, "warn", () => undefined);
});

afterEach(() => {
  for (const { id } of toasts()) dismiss(id);
  mock.timers.reset();
  mock.restoreAll();
});

// S7.01 S8.01
test("calls go under /api with the token in its header, and 0000 is the data", async () => {
  answer = () => json({ code: "0000", desc: "", data: [1] });
  assert.deepEqual(await api.post("/channel/page", { current: 2 }), [1]);
  assert.equal(requests[0]?.url, "/api/channel/page");
  assert.equal(requests[0]?.init.headers["token"], "t1");
  assert.equal(requests[0]?.init.body, '{"current":2}');
  await api.get("/admin/options", { keyword: "a b", none: null });
  assert.equal(requests[1]?.url, "/api/admin/options?keyword=a+b");
  assert.equal(requests[1]?.init.body, undefined);
});

// X5: a proxy may forbid PUT and DELETE, and take headers away.
test("what is not a GET travels as a POST that says what it is in its query", async () => {
  answer = () => json({ code: "0000", desc: "", data: null });
  await api.put("/channel", { id: 1 });
  await api.del("/channel/1");
  await api.del("/crm/deleteMoney/1?x=1", { version: 2, none: null });
  await api.post("/channel/page", { current: 1 });
  assert.deepEqual(
    requests.map(({ url, init }) => `${init.method} ${url} ${String(init.body)}`),
    [
      'POST /api/channel?_method=PUT {"id":1}',
      "POST /api/channel/1?_method=DELETE undefined",
      "POST /api/crm/deleteMoney/1?x=1&version=2&_method=DELETE undefined",
      'POST /api/channel/page {"current":1}',
    ],
  );
});

test("a press has a key of its own, and keeps it until it is answered", async () => {
  const keys = () => requests.map(({ init }) => init.headers["idempotency-key"]);
  answer = () => json({ code: "0000", desc: "", data: null });
  await api.post("/channel", { code: "a" });
  await api.post("/channel", { code: "a" });
  await api.get("/channel/1");
  assert.match(keys()[0] ?? "", /^[0-9a-f]{32}$/);
  assert.notEqual(keys()[0], keys()[1], "answered, it may be pressed again");
  assert.equal(keys()[2], undefined);
  requests = [];
  answer = () => Promise.reject(new TypeError("network"));
  await assert.rejects(api.put("/channel", { code: "a" }));
  answer = () => json({ code: "5003", desc: "busy", data: null });
  await assert.rejects(api.put("/channel", { code: "a" }));
  answer = () => json({ code: "1001", desc: "check", data: {} });
  await assert.rejects(api.put("/channel", { code: "a" }));
  await assert.rejects(api.put("/channel", { code: "a" }));
  assert.equal(new Set(keys().slice(0, 3)).size, 1);
  assert.notEqual(keys()[3], keys()[0], "refused, it is another press");
  requests = [];
  answer = () => Promise.reject(new TypeError("network"));
  const now = mock.method(Date, "now", () => 0);
  await assert.rejects(api.put("/channel", { code: "b" }));
  now.mock.mockImplementation(() => 60_000);
  await assert.rejects(api.put("/channel", { code: "b" }));
  assert.notEqual(keys()[0], keys()[1], "after a minute it is another press");
  now.mock.restore();
  requests = [];
  await Promise.allSettled([api.del("/channel/1"), api.del("/channel/1"), api.del("/channel/2")]);
  assert.equal(keys()[0], keys()[1], "two at once are one");
  assert.notEqual(keys()[0], keys()[2]);
});

test("a renewed token replaces the old one, unless the user has signed out meanwhile", async () => {
  answer = () => json({ code: "0000", desc: "", data: null }, { headers: { token: "t2" } });
  await api.get("/admin/me");
  assert.equal(storage.getItem("token"), "t2");
  storage.removeItem("token");
  await api.get("/admin/me");
  assert.equal(storage.getItem("token"), null);
});

// S8.02 S9.04
test("any other code is told for five seconds and rejected", async () => {
  answer = () => json({ code: "1006", desc: "state does not allow it", data: null });
  await assert.rejects(api.put("/channel/status", {}), (error: unknown) => error instanceof ApiError && error.code === "1006");
  assert.deepEqual(messages(), ["error: state does not allow it"]);
  mock.timers.tick(4999);
  assert.equal(toasts().length, 1);
  mock.timers.tick(1);
  assert.equal(toasts().length, 0);
});

// S8.02
test("a refusal without a text is told as Error", async () => {
  answer = () => json({ code: "5000" });
  await assert.rejects(api.get("/x"));
  assert.deepEqual(messages(), ["error: Error"]);
});

test("wrong fields come with the error", async () => {
  answer = () => json({ code: "1001", desc: "check", data: { code: "taken" } });
  await assert.rejects(api.post("/channel", {}), (error: unknown) => error instanceof ApiError && error.fields["code"] === "taken");
});

// S8.03
test("the two polling calls fail in silence", async () => {
  answer = () => json({ code: "5003", desc: "busy", data: null });
  await assert.rejects(api.post("/chat/user/page", {}));
  await assert.rejects(api.get("/chat/getRecord", { conversationId: 1 }));
  await assert.rejects(api.get("/chat/getRecord?conversationId=1"));
  assert.deepEqual(messages(), []);
  await assert.rejects(api.get("/chat/user/page"));
  assert.deepEqual(messages(), ["error: busy"]);
});

// S8.06
test("a failed menu fetch is only logged", async () => {
  const warned = mock.method(console, "warn", () => undefined);
  const logged = () => warned.mock.calls.at(-1)?.arguments;
  answer = () => json({ code: "5000", desc: "broken", data: null });
  await assert.rejects(api.get("/menu/listByToken"));
  assert.deepEqual(logged(), ["the menu could not be fetched:", "broken"]);
  answer = () => Promise.reject(new TypeError("network"));
  await assert.rejects(api.get("/menu/listByToken"));
  assert.deepEqual(logged(), ["the menu could not be fetched:", "Request Error"]);
  assert.deepEqual(messages(), []);
});

// S8.05
test("a call that does not get through is told by its msg, or as Request Error", async () => {
  answer = () => Promise.reject(new TypeError("network"));
  await assert.rejects(api.get("/x"), (error: unknown) => error instanceof ApiError && error.code === TRANSPORT);
  assert.deepEqual(messages(), ["error: Request Error"]);
  answer = () => json({ msg: "proxy says no" }, { status: 502 });
  await assert.rejects(api.get("/x"));
  assert.deepEqual(messages(), ["error: Request Error", "error: proxy says no"]);
  answer = () => new Response("<html>", { status: 504 });
  assert.equal((await envelope("GET", "/x")).code, TRANSPORT);
});

// S9.04
test("a call gives up after ten seconds", async () => {
  answer = (_, init) => new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  const call = assert.rejects(api.get("/slow"), (error: unknown) => error instanceof ApiError && error.code === TRANSPORT);
  mock.timers.tick(9999);
  assert.deepEqual(messages(), []);
  mock.timers.tick(1);
  await call;
  assert.deepEqual(messages(), ["error: Request Error"]);
});

test("a call that its owner aborts is nobody's error", async () => {
  const owner = new AbortController();
  answer = (_, init) => new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  const call = assert.rejects(api.get("/slow", {}, { signal: owner.signal }), { name: "AbortError" });
  owner.abort();
  await call;
  assert.deepEqual(messages(), []);
});

test("what was sent in another way is answered like any call", async () => {
  const answered = (body: unknown) => new Response(JSON.stringify(body), { headers: { token: "t2" } });
  assert.equal(await api.received("/common/upload", answered({ code: "0000", desc: "", data: 7 })), 7);
  assert.equal(storage.getItem("token"), "t2");
  await assert.rejects(
    api.received("/common/upload", answered({ code: "4013", desc: "too large", data: null })),
    (error: unknown) => error instanceof ApiError && error.code === "4013",
  );
  await assert.rejects(
    api.received("/common/upload", Response.error()),
    (error: unknown) => error instanceof ApiError && error.code === TRANSPORT,
  );
  assert.deepEqual(messages(), ["error: too large", "error: Request Error"]);
});

/** Answers 2000 to calls with any other token than `valid`. */
const only = (valid: string) => (_: string, init: RequestInit) =>
  (init.headers as Record<string, string>)["token"] === valid
    ? json({ code: "0000", desc: "", data: "done" })
    : json({ code: "2000", desc: "expired", data: null });

test("over unsaved text the calls wait for one sign-in, and are repeated", async () => {
  answer = only("t2");
  let signedIn: (isIn: boolean) => void = () => undefined;
  const ask = mock.fn(() => new Promise<boolean>((resolve) => (signedIn = resolve)));
  const release = holdLogin(ask);
  const calls = Promise.all([
    api.post("/channel", { code: "a" }),
    api.get("/message/unread", undefined, { quiet: true }),
    envelope("POST", "/channel/page"),
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ask.mock.callCount(), 1);
  mock.timers.tick(60_000);
  assert.equal(storage.getItem("token"), "t1", "the login stays meanwhile");
  storage.setItem("token", "t2");
  release();
  signedIn(true);
  assert.deepEqual(await calls, ["done", "done", { code: "0000", desc: "", data: "done" }]);
  const saves = requests.filter(({ url }) => url === "/api/channel");
  assert.deepEqual(
    saves.map(({ init }) => init.headers["token"]),
    ["t1", "t2"],
  );
  assert.equal(saves[0]?.init.headers["idempotency-key"], saves[1]?.init.headers["idempotency-key"]);
  assert.deepEqual(messages(), []);
});

test("the answer to a call from before the sign-in neither asks again nor logs out", async () => {
  let arrive: (response: Response) => void = () => undefined;
  answer = () => new Promise((resolve) => (arrive = resolve));
  const call = api.get("/message/unread");
  answer = only("t3");
  const release = holdLogin(async () => (storage.setItem("token", "t3"), true));
  await api.get("/channel/1");
  release();
  arrive(json({ code: "2000", desc: "expired", data: null }));
  assert.equal(await call, "done");
  assert.deepEqual(messages(), []);
});

test("a sign-in that cannot be loaded is a call without an answer, and is loaded at the next one", async () => {
  answer = only("t4");
  mock.method(console, "error", () => undefined);
  const ask = mock.fn(async () => Promise.reject(new TypeError("no network")));
  const release = holdLogin(ask);
  for (let i = 1; i <= 2; i++) {
    await assert.rejects(api.put("/channel", { i }), (error: unknown) => error instanceof ApiError && error.code === TRANSPORT);
    assert.equal(ask.mock.callCount(), i);
  }
  release();
  mock.timers.tick(5000);
  assert.equal(storage.getItem("token"), "t1");
});

// S8.04
test("an expired login is told, and two seconds later the user is logged out and the page reloads", async () => {
  answer = () => json({ code: "2000", desc: "expired", data: null });
  await assert.rejects(api.get("/admin/me"));
  await assert.rejects(api.get("/admin/me"));
  assert.deepEqual(messages(), ["error: expired", "error: Login expired, log in again"]);
  mock.timers.tick(1999);
  assert.equal(storage.getItem("token"), "t1");
  mock.timers.tick(1);
  assert.equal(storage.getItem("token"), null);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(reload.mock.callCount(), 1);
});

test("who does not sign in again over unsaved text is logged out at once, and only once", async () => {
  reload.mock.resetCalls();
  answer = only("t5");
  const ask = mock.fn(async () => false);
  holdLogin(ask);
  await assert.rejects(api.put("/channel", { code: "a" }), (error: unknown) => error instanceof ApiError && error.code === "2000");
  await assert.rejects(api.get("/message/unread"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(storage.getItem("token"), null);
  assert.deepEqual([ask.mock.callCount(), reload.mock.callCount()], [1, 1]);
  assert.equal(sessionStorage.getItem("login_reason"), "Login expired, log in again");
  assert.deepEqual(messages(), []);
});
