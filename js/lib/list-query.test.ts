/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_PAGE_SIZE, listSearch, MAX_PAGE_SIZE, readListQuery } from "./list-query";
import { formatQuery, parseQuery } from "./query-string";

test("an address reads as a list's state", () => {
  assert.deepEqual(readListQuery("?keyword=%E5%8C%97+a&status=&current=3&pageSize=50&sort=code&order=desc"), {
    current: 3,
    pageSize: 50,
    sort: "code",
    order: "desc",
    filters: { keyword: "北 a" },
  });
});

test("nonsense in the address is the default", () => {
  const query = readListQuery("?current=-1&pageSize=9999&order=up");
  assert.equal(query.current, 1);
  assert.equal(query.pageSize, MAX_PAGE_SIZE);
  assert.equal(query.order, null);
  assert.equal(readListQuery("?pageSize=x").pageSize, DEFAULT_PAGE_SIZE);
});

test("defaults leave the address", () => {
  assert.equal(listSearch(readListQuery("")), "");
  assert.equal(listSearch(readListQuery("?current=1&pageSize=20&keyword=")), "");
});

test("that filters were left out is none of the filters", () => {
  assert.equal(listSearch(readListQuery("?keyword=a&leftOut=yes")), "?keyword=a");
});

test("turning a page keeps everything else; any other change goes back to the first page", () => {
  const query = readListQuery("?keyword=a&current=3&sort=code&order=asc");
  assert.equal(listSearch(query, { current: 4 }), "?keyword=a&sort=code&order=asc&current=4");
  assert.equal(listSearch(query, { current: 1 }), "?keyword=a&sort=code&order=asc");
  assert.equal(listSearch(query, { pageSize: 50 }), "?keyword=a&sort=code&order=asc&pageSize=50");
  assert.equal(listSearch(query, { sort: null, order: null }), "?keyword=a");
  assert.equal(listSearch(query), "?keyword=a&sort=code&order=asc&current=3");
});

test("queries survive the way there and back", () => {
  const query = { a: "1&2=3", b: "x y+z%", c: "中文" };
  assert.deepEqual(parseQuery(formatQuery(query)), query);
  assert.deepEqual(parseQuery("?a=%&b&&c=1&c=2"), { a: "%", b: "", c: "2" });
  assert.equal(formatQuery({ a: null, b: undefined, c: "" }), "");
});
