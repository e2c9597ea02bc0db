/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MenuNode, PageProps } from "../lib/types";
import { admit, fallbackOf, mayOpen, opens } from "./loads";
import { findRoute, type PageRoute } from "./routes";

const node = (name: string, children: MenuNode[] | null = null): MenuNode => {
  return { id: 1, name, path: `/${name}`, type: 1, title: name, icon: null, order: 1, external: null, hidden: false, children };
};

/** The props of a viewer in a role whose menu has these pages. */
const props = (role: string, pages: string[], menuFromServer = true) =>
  ({
    locale: "en-US",
    viewer: { role },
    menu: [
      node(
        "group",
        pages.map((name) => node(name)),
      ),
    ],
    settings: { menuFromServer },
  }) as unknown as PageProps;
const page = (roles: string[]): PageRoute => ({ ...findRoute("channelList")!, roles });

// S2.21 S5.03 S6.01
test("a page opens for the roles of its list alone, and only from the menu", () => {
  for (const role of ["finance", "admin"]) assert.equal(mayOpen(page(["finance", "admin"]), props(role, ["channelList"])), true);
  for (const roles of [["finance", "admin"], [], ["sale"]]) assert.equal(mayOpen(page(roles), props("sales", ["channelList"])), false);
  assert.equal(mayOpen(page(["*"]), props("sales", ["channelList"])), true);
  assert.equal(mayOpen(page(["*"]), props("sales", ["planList"])), false);
  assert.equal(mayOpen(page(["*"]), { ...props("sales", []), viewer: null }), false);
});

// S2.19 S4.01
test("without a token a step leads to the login page, with the route's name and the query", () => {
  const opened: string[] = [];
  Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => null }, configurable: true });
  Object.defineProperty(globalThis, "location", { value: { assign: (address: string) => opened.push(address) }, configurable: true });
  const at = (pathname: string, search: string) => ({ pathname, search, hash: "", state: null, key: "default" });
  const viewer = props("admin", ["channelList"]);
  assert.equal(admit(findRoute("channelList")!, {}, at("/channel/list", "?keyword=ads&current=2"), viewer), "left");
  assert.equal(admit(findRoute("orgReceiptDetail")!, { id: "7" }, at("/org/receipt/7", "?tab=history"), viewer), "left");
  assert.deepEqual(opened, ["/login?redirect=channelList&keyword=ads&current=2", "/login?redirect=orgReceiptDetail&tab=history&id=7"]);
});

// S6.02
test("without the server's menu a page of others leads to the first of the role, or nowhere", () => {
  assert.equal(fallbackOf(props("sales", ["planList", "channelList"], false)), "/channel/list");
  assert.equal(fallbackOf(props("sales", [], false)), null);
  assert.equal(fallbackOf(props("sales", ["channelList"], true)), null);
  assert.equal(opens("home", props("sales", ["home"])), true);
  assert.equal(opens("home", props("sales", [])), false);
});
