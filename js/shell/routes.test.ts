/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, findRoute, headOf, pageAt } from "./routes";
import { recordTitle } from "./record-title";

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

test("the head of a page has what the layout shows", () => {
  assert.deepEqual(headOf(receipt, "en-US"), { title: receipt.title["en-US"], parent: "orgReceipt", recordTitle: "receipt.no" });
  assert.deepEqual(headOf(findRoute("channelList")!, "zh-CN"), { title: "渠道列表" });
  assert.deepEqual(headOf(findRoute("notFound")!, "zh-CN"), { title: "页面不存在", isSpecial: true });
});

test("a record's page has the record's title", () => {
  const head = headOf(receipt, "en-US");
  assert.equal(recordTitle(head, { receipt: { code: "0000", desc: "", data: { no: "SK1" } } }), "SK1");
  assert.equal(recordTitle(head, { receipt: { code: "1004", desc: "", data: null } }), undefined);
  assert.equal(recordTitle(head, {}), undefined);
  assert.equal(
    recordTitle(headOf(findRoute("channelList")!, "en-US"), { list: { code: "0000", desc: "", data: { no: "SK1" } } }),
    undefined,
  );
});
