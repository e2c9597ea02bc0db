/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Translate } from "../lib/i18n";
import { type FormField, inputsOf, readable } from "./form";

const t: Translate = (key) => (key === "ui.comma" ? ", " : key);
const fields: readonly FormField[] = [
  { name: "name", label: "channel.name", kind: "text" },
  { name: "price", label: "channel.unitPrice", kind: "money" },
  { name: "share", label: "channel.share", kind: "percent" },
  { name: "ips", label: "channel.ipAllow", kind: "lines" },
  { name: "owner", label: "channel.owner", kind: "select", choices: [{ value: 2, label: "Two" }] },
  { name: "roles", label: "admin.roles", kind: "boxes", choices: [{ value: 1, label: "One" }, { value: 2, label: "Two" }] },
];

test("a record becomes what its inputs hold", () => {
  const record = { name: "A", price: 123450, share: 1250, ips: ["a", "b"], owner: 2, roles: [1] };
  assert.deepEqual(inputsOf(fields, record), { name: "A", price: "1234.5", share: "12.5", ips: "a\nb", owner: "2", roles: ["1"] });
  assert.equal(inputsOf(fields, { price: 10_000 })["price"], "100");
  assert.equal(inputsOf(fields, { price: 5 })["price"], "0.05");
});

test("what a record does not have is an empty input", () => {
  assert.deepEqual(inputsOf(fields, {}), { name: "", price: "", share: "", ips: "", owner: "", roles: [] });
});

test("values read as people say them", () => {
  const read = (name: string, value: unknown) => readable(fields.find((field) => field.name === name)!, value, t);
  assert.equal(read("price", 123450), "1,234.50");
  assert.equal(read("share", 1250), "12.5%");
  assert.equal(read("owner", 2), "Two");
  assert.equal(read("owner", null), "-");
  assert.equal(read("roles", [1, 2]), "One, Two");
  assert.equal(read("ips", ["a", "b"]), "a, b");
});
