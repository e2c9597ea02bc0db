/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, areIds, findRoute, recordTitle } from "./routes";

const receipt = findRoute("orgReceiptDetail")!;

test("an address takes its parameters from a query, and the rest follows", () => {
  assert.equal(addressOf(receipt, { id: "7", tab: "history" }), "/org/receipt/7?tab=history");
  assert.equal(addressOf(receipt, { id: "../admin" }), null);
  assert.equal(addressOf(receipt, {}), null);
  assert.equal(addressOf(findRoute("channelList")!, { id: "7" }), "/channel/list?id=7");
  assert.equal(addressOf(findRoute("notFound")!, {}), null);
});

test("parameters are ids", () => {
  assert.equal(areIds({}), true);
  assert.equal(areIds({ id: "7" }), true);
  for (const id of ["", "x", "-7", "1234567890123456", undefined]) assert.equal(areIds({ id }), false);
});

test("a record's page has the record's title", () => {
  const loaded = { receipt: { code: "0000", desc: "", data: { no: "SK1" } } };
  assert.equal(recordTitle(receipt, loaded), "SK1");
  assert.equal(recordTitle(receipt, { receipt: { code: "1004", desc: "", data: null } }), undefined);
  assert.equal(recordTitle(receipt, undefined), undefined);
  assert.equal(recordTitle(findRoute("channelList"), loaded), undefined);
});
