import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { noteRecent, noteRecord, recentPages, recentRecords } from "./recent";

class Storage extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
}

beforeEach(() => {
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, name, { value: new Storage(), configurable: true, writable: true });
});

const record = (number: number) => ({ title: `李*${number}`, fullPath: `/crm/clue/${number}`, detail: "线索" });

test("the latest record is first, each once, eight at most", () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 4]) noteRecord("1 a", record(number));
  assert.deepEqual(
    recentRecords("1 a").map(({ fullPath }) => fullPath),
    [4, 9, 8, 7, 6, 5, 3, 2].map((number) => `/crm/clue/${number}`),
  );
});

test("an account in another role does not see the records of the one before", () => {
  noteRecord("1 a", record(1));
  assert.deepEqual(recentRecords("1 b"), []);
  noteRecord("1 b", record(2));
  assert.deepEqual([recentRecords("1 a"), recentRecords("1 b")], [[], [record(2)]]);
});

test("what is stored is read with care", () => {
  noteRecent({ title: "渠道列表", name: "channelList", fullPath: "/channel/list?keyword=a", query: { keyword: "a" } });
  assert.deepEqual(recentPages(), [{ title: "渠道列表", fullPath: "/channel/list?keyword=a", detail: "a" }]);
  for (const text of ["no json", "{}", "null", '["1 a",{"title":"x","detail":"","fullPath":"//evil.example"}]']) {
    localStorage.setItem("recent_records", text);
    sessionStorage.setItem("recent", text);
    assert.deepEqual([recentRecords("1 a"), recentPages()], [[], []], text);
  }
});
