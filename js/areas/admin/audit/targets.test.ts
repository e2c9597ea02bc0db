/// <reference types="node" />
/** The links of the trail lead to pages of records. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import type { AuditRow } from "../../../lib/api-types";
import { pageOf, recordPages } from "./targets";

interface Route {
  path?: string;
  needs?: string[];
  children?: Route[];
}

const areas = join(process.cwd(), "js/areas");
const flat = (routes: readonly Route[]): Route[] => routes.flatMap((route) => [route, ...flat(route.children ?? [])]);
const routes = readdirSync(areas, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("routes.json"))
  .flatMap((path) => flat(JSON.parse(readFileSync(join(areas, path), "utf8")) as Route[]));

test("each link of the trail leads to the page of one record, for those who may open it", () => {
  for (const [kind, [list, point]] of Object.entries(recordPages)) {
    const page = routes.find(({ path }) => path === `${list}/:id`);
    assert.ok(page, `${kind} has no page at ${list}/:id`);
    assert.deepEqual(page.needs, [point], kind);
  }
});

/** Pages of records that the trail never names. */
const unnamed = ["/account/message/:id", "/admin/audit/:id", "/user/match-list/:id"];

test("each page of one record has a link in the trail", () => {
  const linked = Object.values(recordPages).map(([list]) => `${list}/:id`);
  const pages = routes.flatMap(({ path }) => (path?.endsWith("/:id") ? [path] : []));
  assert.deepEqual(pages.filter((path) => !linked.includes(path)).sort(), unnamed);
});

test("only a record with a page has a link", () => {
  const row = (targetType: string, targetId: number | null) => ({ targetType, targetId }) as AuditRow;
  assert.deepEqual(pageOf(row("channel", 7)), { href: "/channel/list/7", point: "channel/list/view" });
  assert.deepEqual(pageOf(row("payment_refund", 7)), { href: "/payConfig/order-list/refunds/7", point: "payConfig/order-list/list" });
  assert.equal(pageOf(row("channel", null)), undefined);
  assert.equal(pageOf(row("general_setting", 7)), undefined);
});
