/// <reference types="node" />
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { api, ApiError, envelope, TRANSPORT } from "./api";
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
