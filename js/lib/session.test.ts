/// <reference types="node" />
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { getToken, keepLogin, leave } from "./session";

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

const login = { token: "t", user: { name: "周敏", role: "operator", mustChangePwd: false } };
/** Addresses of the documents that were opened. */
let opened: string[];

beforeEach(() => {
  opened = [];
  const globals = {
    localStorage: new Storage(),
    sessionStorage: new Storage(),
    location: { assign: (address: string) => void opened.push(address) },
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  mock.restoreAll();
});

// S3.01 S4.01 S4.02
test("the answer of login is kept whole, its token under a key of its own", () => {
  assert.equal(getToken(), null);
  keepLogin(login);
  assert.deepEqual(JSON.parse(localStorage.getItem("user_info")!), login);
  assert.equal(localStorage.getItem("token"), "t");
  assert.equal(getToken(), "t");
});

// S4.03
test("logging out clears the token, the user info and the tabs, and opens another document", async () => {
  for (const answer of [async () => Response.json({}), async () => Promise.reject(new TypeError("no network"))]) {
    const call = mock.method(globalThis, "fetch", answer);
    mock.method(console, "warn", () => {});
    keepLogin(login);
    sessionStorage.setItem("tabs", "[]");
    localStorage.setItem("recent_records", "[1]");
    opened = [];
    await leave();
    const [path, request] = call.mock.calls[0]!.arguments as unknown as [string, RequestInit];
    assert.deepEqual([path, request.method, request.headers], ["/api/admin/logout", "POST", { token: "t" }]);
    assert.deepEqual(
      ["token", "user_info", "recent_records"].map((name) => localStorage.getItem(name)).concat(sessionStorage.getItem("tabs")),
      [null, null, null, null],
    );
    assert.deepEqual(opened, ["/login"]);
    mock.restoreAll();
  }
});
