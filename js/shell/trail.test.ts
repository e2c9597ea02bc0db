/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MenuNode } from "../lib/types";
import { findTrail, firstPage, inOrder } from "./trail";

let id = 0;
const node = (name: string, order: number, more: Partial<MenuNode> = {}): MenuNode => {
  return {
    id: ++id,
    name,
    path: `/${name}`,
    type: 1,
    title: name,
    icon: null,
    order,
    external: null,
    hidden: false,
    children: null,
    ...more,
  };
};
const menu = [
  node("home", 99),
  node("faq", 0, { external: "https://example.com" }),
  node("channel", 1, { children: [node("uv", 2), node("list", 1)] }),
];

test("the trail leads from the top to a page's entry", () => {
  assert.deepEqual(
    findTrail(menu, "uv").map(({ name }) => name),
    ["channel", "uv"],
  );
  assert.deepEqual(findTrail(menu, "nowhere"), []);
});

// S2.18
test("entries stand by their order numbers", () => {
  assert.deepEqual(
    inOrder(menu).map(({ name }) => name),
    ["faq", "channel", "home"],
  );
  const sorted = [node("a", 1), node("b", 1), node("c", 2)];
  assert.equal(inOrder(sorted), sorted);
});

test("one begins with the first page of one's own menu, never with a foreign link", () => {
  assert.equal(firstPage(menu)?.name, "list");
  assert.equal(firstPage([]), null);
});
