/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Field } from "./field";
import { inOrder, moved, shownFields } from "./list-choice";

interface Row {
  no: string;
  name: string;
  city: string;
  note: string;
}

const fields: readonly Field<Row>[] = [
  { key: "no", title: "ui.name" as never },
  { key: "name", title: "ui.name" as never },
  { key: "city", title: "ui.name" as never, list: "hidden" },
  { key: "note", title: "ui.name" as never },
];
const keysOf = (some: readonly Field<Row>[]) => some.map(({ key }) => key).join(" ");

test("columns have the viewer's order; the first stays, new ones follow", () => {
  assert.equal(inOrder(fields, undefined), fields);
  assert.equal(keysOf(inOrder(fields, ["note", "gone", "no", "name"])), "no note name city");
  assert.equal(keysOf(shownFields(fields, { density: "normal", columns: { city: true }, order: ["note", "city"] })), "no note city name");
  assert.equal(keysOf(shownFields(fields, { density: "normal", columns: {} })), "no name note");
});

test("a column moves to a place, and the others make room", () => {
  assert.deepEqual(moved(["a", "b", "c", "d"], 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(moved(["a", "b", "c", "d"], 3, 1), ["a", "d", "b", "c"]);
  assert.deepEqual(moved(["a", "b"], 1, 0), ["b", "a"]);
});
