import assert from "node:assert/strict";
import { test } from "node:test";

import type { MenuNode } from "../lib/types";
import { find, pageEntries } from "./palette-search";

let id = 0;
const node = (name: string, title: string, more: Partial<MenuNode> = {}): MenuNode => {
  return {
    id: ++id,
    name,
    path: `/${name}`,
    type: 1,
    title,
    icon: null,
    order: id,
    external: null,
    hidden: false,
    children: null,
    ...more,
  };
};

const menu = [
  node("admin", "系统管理", {
    order: 9,
    children: [node("adminList", "管理员列表", { path: "/admin/list" }), node("secret", "详情", { hidden: true })],
  }),
  node("channel", "渠道管理", { order: 2, children: [node("channelList", "渠道列表", { path: "/channel/list" })] }),
  node("faq", "常见问题", { external: "https://example.com" }),
];
const titles = (typed: string) => find(pageEntries(menu), typed).map(({ title }) => title);

test("the pages of the menu are there in its order, without links out and hidden pages", () => {
  assert.deepEqual(titles(""), ["渠道列表", "管理员列表"]);
  assert.deepEqual(pageEntries(menu)[0], {
    group: "渠道管理",
    title: "渠道列表",
    words: "channelList /channel/list",
    address: "/channel/list",
  });
});

test("all words count, in titles, groups, names and paths, whatever their case", () => {
  assert.deepEqual(titles("列表"), ["渠道列表", "管理员列表"]);
  assert.deepEqual(titles("管理员"), ["管理员列表"]);
  assert.deepEqual(titles("管理"), ["管理员列表", "渠道列表"], "a title that begins with it comes first");
  assert.deepEqual(titles("ADMINLIST"), ["管理员列表"]);
  assert.deepEqual(titles("list  channel"), ["渠道列表"]);
  assert.deepEqual(titles("nothing"), []);
});
