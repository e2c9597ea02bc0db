/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { unpacked } from "./columns";

const ok = (data: unknown) => ({ code: "0000", desc: "", data });

test("columns become whole rows", () => {
  const rows = {
    columns: ["id", "name"],
    rows: [
      [1, "a"],
      [2, null],
    ],
  };
  const whole = [
    { id: 1, name: "a" },
    { id: 2, name: null },
  ];
  assert.deepEqual(unpacked({ list: ok({ list: rows, total: 9 }), choices: ok(rows) }), {
    list: ok({ list: whole, total: 9 }),
    choices: ok(whole),
  });
});

test("other answers stay as they are", () => {
  const data = { a: ok(null), b: ok(7), c: ok([1]), d: ok({ list: [{ id: 1 }], total: 1 }), e: { code: "1003", desc: "no", data: null } };
  assert.deepEqual(unpacked(data), data);
});
