/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, findRoute, pageAt, recordTitle } from "./routes";

const receipt = findRoute("orgReceiptDetail")!;

test("an address takes its parameters from a query, and the rest follows", () => {
  assert.equal(addressOf(receipt, { id: "7", tab: "history" }), "/org/receipt/7?tab=history");
  assert.equal(addressOf(receipt, { id: "../admin" }), null);
  assert.equal(addressOf(receipt, {}), null);
  assert.equal(addressOf(findRoute("channelList")!, { id: "7" }), "/channel/list?id=7");
  assert.equal(addressOf(findRoute("notFound")!, {}), null);
});

test("a path is the page that the server finds at it", () => {
  const at = (pathname: string) => {
    const found = pageAt(pathname);
    return found && [found.route.name, found.params];
  };
  assert.deepEqual(at("/channel/list"), ["channelList", {}]);
  assert.deepEqual(at("/channel/list/"), ["channelList", {}]);
  assert.deepEqual(at("/org/receipt/7"), ["orgReceiptDetail", { id: "7" }]);
  assert.deepEqual(at("/org/receipt/7/"), ["orgReceiptDetail", { id: "7" }]);
  for (const id of ["", "x", "-7", "7a", "%37", "1234567890123456", "7/8"])
    assert.equal(at(`/org/receipt/${id}`)?.[0], id === "" ? "orgReceipt" : undefined);
  for (const path of ["/", "/login", "/Channel/List", "/nowhere", ""]) assert.equal(at(path), null);
});

test("a record's page has the record's title", () => {
  const loaded = { receipt: { code: "0000", desc: "", data: { no: "SK1" } } };
  assert.equal(recordTitle(receipt, loaded), "SK1");
  assert.equal(recordTitle(receipt, { receipt: { code: "1004", desc: "", data: null } }), undefined);
  assert.equal(recordTitle(receipt, undefined), undefined);
  assert.equal(recordTitle(findRoute("channelList"), loaded), undefined);
});
