/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { canClose, closeTabs, nameOf, nextActive, openTab, parseTabs, type Tab } from "./tabs";

const tab = (fullPath: string): Tab => ({ title: fullPath, name: "page", fullPath, query: {} });
const list = ["/a", "/b", "/c?x=1", "/d?x=2"].map(tab);
const paths = (tabs: readonly Tab[]) => tabs.map(({ fullPath }) => fullPath);

// S3.05
test("a page opens once, and its tab has its latest address", () => {
  assert.equal(openTab(list, tab("/b")), list);
  assert.deepEqual(paths(openTab(list, tab("/c"))), ["/a", "/b", "/c", "/d?x=2"]);
  assert.deepEqual(paths(openTab(list, tab("/b?current=2"))), ["/a", "/b?current=2", "/c?x=1", "/d?x=2"]);
  assert.deepEqual(paths(openTab(list, tab("/a?k=1"))), ["/a?k=1", "/b", "/c?x=1", "/d?x=2"]);
  assert.deepEqual(paths(openTab(list, tab("/c/7"))), ["/a", "/b", "/c?x=1", "/d?x=2", "/c/7"]);
});

test("a tab is called by its page and the filter of its address", () => {
  const invoices = { ...tab("/c?status=approved"), title: "Invoices", filter: "To issue" };
  const [, , opened] = openTab(list, invoices);
  assert.equal(nameOf(opened!), "Invoices · To issue");
  assert.equal(nameOf(tab("/b")), "/b");
  assert.equal(openTab([invoices], { ...invoices }).length, 1);
  assert.equal(openTab([invoices], { ...invoices, filter: undefined })[0]!.filter, undefined);
});

test("closing keeps the first tab, always", () => {
  assert.deepEqual(paths(closeTabs(list, "/b", "this")), ["/a", "/c?x=1", "/d?x=2"]);
  assert.deepEqual(paths(closeTabs(list, "/c?x=1", "left")), ["/a", "/c?x=1", "/d?x=2"]);
  assert.deepEqual(paths(closeTabs(list, "/b", "right")), ["/a", "/b"]);
  assert.deepEqual(paths(closeTabs(list, "/c?x=1", "others")), ["/a", "/c?x=1"]);
  assert.deepEqual(paths(closeTabs(list, "/b", "all")), ["/a"]);
  assert.deepEqual(paths(closeTabs(list, "/a", "this")), paths(list));
});

test("what would close nothing is not offered", () => {
  assert.equal(canClose(list, "/a", "this"), false);
  assert.equal(canClose(list, "/b", "left"), false);
  assert.equal(canClose(list, "/c?x=1", "left"), true);
  assert.equal(canClose(list, "/d?x=2", "right"), false);
});

test("the left neighbour follows a closed active tab, with its query", () => {
  const next = (active: string, origin: string, kind: Parameters<typeof closeTabs>[2]) =>
    nextActive(list, closeTabs(list, origin, kind), active, origin);
  assert.equal(next("/d?x=2", "/d?x=2", "this"), "/c?x=1");
  assert.equal(next("/b", "/d?x=2", "this"), "/b");
  assert.equal(next("/b", "/d?x=2", "others"), "/d?x=2");
  assert.equal(next("/d?x=2", "/b", "all"), "/a");
});

test("stored tabs come back in today's language, and only the viewer's own", () => {
  const filtered = { ...tab("/a"), title: "Page", filter: "To issue" };
  assert.deepEqual(
    parseTabs(JSON.stringify([filtered, { ...filtered, filter: 7 }]), () => "Page"),
    [filtered],
  );
  assert.deepEqual(parseTabs(JSON.stringify([filtered]), () => "Seite").map(nameOf), ["Seite"]);
  const titles: Record<string, string> = { page: "Page" };
  const text = JSON.stringify([tab("/a"), { ...tab("/x"), name: "secret" }, tab("//evil.example"), { fullPath: "/y" }, 7]);
  assert.deepEqual(
    parseTabs(text, ({ name }) => titles[name]),
    [{ ...tab("/a"), title: "Page", filter: undefined }],
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
