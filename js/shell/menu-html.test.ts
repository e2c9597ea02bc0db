/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MenuNode } from "../lib/types";
import { markCurrent, menuHtml } from "./menu-html";
import { findTrail } from "./trail";

let id = 0;
const node = (name: string, more: Partial<MenuNode> = {}): MenuNode => {
  return {
    id: ++id,
    name,
    path: `/${name}`,
    type: 1,
    title: name,
    icon: null,
    order: id,
    external: null,
    hidden: false,
    children: null,
    ...more,
  };
};
const menu = [
  node("channel", { children: [node("list"), node("uv"), node("detail", { hidden: true })] }),
  node("home"),
  node("help", { external: "https://help.example/?a=1&b=2" }),
  node("secret", { children: [node("hidden", { hidden: true })] }),
];
const plain = menuHtml(menu, "new window");
const marked = (name: string, isCollapsed = false) => markCurrent(plain, findTrail(menu, name), isCollapsed);
const count = (html: string, part: string) => html.split(part).length - 1;

test("entries of a menu are links, its groups fold, and what is hidden is left out", () => {
  assert.equal(count(plain, "<a "), 4);
  assert.equal(count(plain, "<details"), 1);
  assert.ok(plain.includes('<a href="/list">list</a>'));
  assert.ok(plain.includes('href="https://help.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"'));
  assert.ok(plain.includes('<span class="sr-only"> (new window)</span>'));
  assert.ok(!plain.includes("secret") && !plain.includes(">hidden<"));
  assert.ok(!plain.includes("aria-current") && !plain.includes(" open"));
});

test("the current page and its group are marked, and no others", () => {
  const html = marked("list");
  assert.ok(html.includes('<a href="/list" aria-current="page">'));
  assert.ok(html.includes(`<details data-group="${menu[0]!.id}" class="is-current" open>`));
  assert.equal(count(html, "aria-current"), 1);
  assert.equal(marked("home").includes(" open"), false);
  assert.equal(markCurrent(plain, [], false), plain);
});

test("a page that the menu does not show marks its group alone", () => {
  assert.equal(count(marked("detail"), "aria-current"), 0);
  assert.ok(marked("detail").includes('class="is-current" open'));
});

test("a collapsed menu has no open group", () => {
  const html = marked("list", true);
  assert.ok(html.includes('class="is-current"') && !html.includes(" open") && html.includes("aria-current"));
});

test("titles and addresses of the menu are text", () => {
  const evil = node("x", { title: `<img src=x onerror="a('b')">&`, path: `/x?a="b"&c=$&`, icon: "__proto__" });
  const html = menuHtml([evil], "new");
  assert.ok(!html.includes("<img") && html.includes("&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;"));
  assert.equal(
    markCurrent(html, [evil], false),
    html.replace('c=$&amp;"', () => 'c=$&amp;" aria-current="page"'),
  );
});
