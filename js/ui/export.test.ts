/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { exportName, lineCounter, receive, type Received } from "./export";

test("rows are counted across pieces, line breaks inside quotes are not rows", () => {
  const lines = lineCounter();
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.equal(lines(bytes("a,b\n1,\"two\n")), 1);
  assert.equal(lines(bytes("lines, \"\"quoted\"\"\"\n3,4")), 2);
  assert.equal(lines(bytes("\n")), 3);
});

test("a file is received whole, with its progress", async () => {
  const response = new Response("head\n1\n2\n", { headers: { "x-total-rows": "2", "content-type": "text/csv" } });
  const told: Received[] = [];
  const blob = await receive(response, "csv", (received) => told.push(received));
  assert.equal(await blob.text(), "head\n1\n2\n");
  assert.deepEqual(told.at(-1), { bytes: 9, rows: 2, totalRows: 2 });
});

test("the server names the file", () => {
  const named = (value: string) => new Response("", { headers: { "content-disposition": value } });
  assert.equal(exportName(named("attachment; filename*=UTF-8''%E6%B8%A0%E9%81%93.csv"), "/channel/page/export", "csv"), "渠道.csv");
  assert.equal(exportName(named('attachment; filename="channels.xlsx"'), "/channel/page/export", "xlsx"), "channels.xlsx");
  assert.equal(exportName(new Response(""), "/channel/page/export", "csv"), "channel.csv");
});
