/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { canClose, closeTabs, moveTab, nextActive, openTab, parseTabs, type Tab } from "./tabs";

const tab = (fullPath: string): Tab => ({ title: fullPath, name: "page", fullPath, query: {} });
const list = ["/a", "/b", "/c?x=1", "/c?x=2"].map(tab);
const paths = (tabs: readonly Tab[]) => tabs.map(({ fullPath }) => fullPath);

// S3.05
test("a full path opens once, another query is another tab", () => {
  assert.equal(openTab(list, tab("/b")), list);
  assert.deepEqual(paths(openTab(list, tab("/c?x=3"))), ["/a", "/b", "/c?x=1", "/c?x=2", "/c?x=3"]);
});

test("a page that changes its own query keeps its tab, but not the first one", () => {
  assert.deepEqual(paths(moveTab(list, "/b", tab("/b?current=2"))), ["/a", "/b?current=2", "/c?x=1", "/c?x=2"]);
  assert.deepEqual(paths(moveTab(list, "/a", tab("/a?k=1"))), ["/a", "/b", "/c?x=1", "/c?x=2", "/a?k=1"]);
  assert.deepEqual(paths(moveTab(list, "/c?x=1", tab("/c?x=2"))), paths(list));
});

test("closing keeps the first tab, always", () => {
  assert.deepEqual(paths(closeTabs(list, "/b", "this")), ["/a", "/c?x=1", "/c?x=2"]);
  assert.deepEqual(paths(closeTabs(list, "/c?x=1", "left")), ["/a", "/c?x=1", "/c?x=2"]);
  assert.deepEqual(paths(closeTabs(list, "/b", "right")), ["/a", "/b"]);
  assert.deepEqual(paths(closeTabs(list, "/c?x=1", "others")), ["/a", "/c?x=1"]);
  assert.deepEqual(paths(closeTabs(list, "/b", "all")), ["/a"]);
  assert.deepEqual(paths(closeTabs(list, "/a", "this")), paths(list));
});

test("what would close nothing is not offered", () => {
  assert.equal(canClose(list, "/a", "this"), false);
  assert.equal(canClose(list, "/b", "left"), false);
  assert.equal(canClose(list, "/c?x=1", "left"), true);
  assert.equal(canClose(list, "/c?x=2", "right"), false);
});

test("the left neighbour follows a closed active tab, with its query", () => {
  const next = (active: string, origin: string, kind: Parameters<typeof closeTabs>[2]) =>
    nextActive(list, closeTabs(list, origin, kind), active, origin);
  assert.equal(next("/c?x=2", "/c?x=2", "this"), "/c?x=1");
  assert.equal(next("/b", "/c?x=2", "this"), "/b");
  assert.equal(next("/b", "/c?x=2", "others"), "/c?x=2");
  assert.equal(next("/c?x=2", "/b", "all"), "/a");
});

test("stored tabs come back in today's language, and only the viewer's own", () => {
  const titles: Record<string, string> = { page: "Page" };
  const text = JSON.stringify([tab("/a"), { ...tab("/x"), name: "secret" }, tab("//evil.example"), { fullPath: "/y" }, 7]);
  assert.deepEqual(
    parseTabs(text, ({ name }) => titles[name]),
    [{ ...tab("/a"), title: "Page" }],
  );
  assert.deepEqual(
    parseTabs("{", () => "x"),
    [],
  );
  assert.deepEqual(
    parseTabs(null, () => "x"),
    [],
  );
});
