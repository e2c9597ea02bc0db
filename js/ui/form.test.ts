/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Translate } from "../lib/i18n";
import { allInOneForm, type FormField, inOneForm, type Inputs, inputsOf, readable, shownField } from "./form";

const t: Translate = (key) => (key === "ui.comma" ? ", " : key);
const fields: readonly FormField[] = [
  { name: "name", label: "channel.name", kind: "text" },
  { name: "price", label: "channel.unitPrice", kind: "money" },
  { name: "share", label: "channel.share", kind: "percent" },
  { name: "ips", label: "channel.ipAllow", kind: "lines" },
  { name: "owner", label: "channel.owner", kind: "select", choices: [{ value: 2, label: "Two" }] },
  {
    name: "roles",
    label: "admin.roles",
    kind: "boxes",
    choices: [
      { value: 1, label: "One" },
      { value: 2, label: "Two" },
    ],
  },
];

test("a record becomes what its inputs hold", () => {
  const record = { name: "A", price: 123450, share: 1250, ips: ["a", "b"], owner: 2, roles: [1] };
  assert.deepEqual(inputsOf(fields, record), { name: "A", price: "1234.5", share: "12.5", ips: "a\nb", owner: "2", roles: ["1"] });
  assert.equal(inputsOf(fields, { price: 10_000 })["price"], "100");
  assert.equal(inputsOf(fields, { price: 5 })["price"], "0.05");
});

test("a switch holds yes or no, also where the record has nothing", () => {
  const flag: FormField = { name: "on", label: "channel.name", kind: "flag" };
  assert.deepEqual(
    [true, false, null, undefined].map((on) => inputsOf([flag], { on })["on"]),
    ["true", "false", "false", "false"],
  );
  assert.deepEqual([readable(flag, true, t), readable(flag, false, t)], ["ui.yes", "ui.no"]);
});

test("what a record does not have is an empty input", () => {
  assert.deepEqual(inputsOf(fields, {}), { name: "", price: "", share: "", ips: "", owner: "", roles: [] });
});

test("values read as people say them", () => {
  const read = (name: string, value: unknown) =>
    readable(
      fields.find((field) => field.name === name)!,
      value,
      t,
    );
  assert.equal(read("price", 123450), "1,234.50");
  assert.equal(read("share", 1250), "12.5%");
  assert.equal(read("owner", 2), "Two");
  assert.equal(read("owner", null), "-");
  assert.equal(read("roles", [1, 2]), "One, Two");
  assert.equal(read("ips", ["a", "b"]), "a, b");
});

test("a text that was typed or pasted is brought into the one form of its field", () => {
  const frame = { name: "a", label: "channel.name" } as const;
  const cases: [FormField, string, string][] = [
    [{ ...frame, kind: "text", type: "tel" }, "+86 100 0003 0001", "10000030001"],
    [{ ...frame, kind: "text", type: "tel" }, " ０２１－５５５５ 0101 ", "021-5555 0101"],
    [{ ...frame, kind: "text", type: "tel" }, "1000003000", "1000003000"],
    [{ ...frame, kind: "text", written: "idNo" }, " 110105 19491231 002x", "11010519491231002X"],
    [{ ...frame, kind: "text", written: "idNo" }, "110105 1949", "110105 1949"],
    [{ ...frame, kind: "text", written: "code" }, "9131 0000 ma1f-l0xx xx", "91310000MA1FL0XXXX"],
    [{ ...frame, kind: "text" }, "\ufeff 买买提·艾力（华南）\u200b", "买买提·艾力（华南）"],
    [{ ...frame, kind: "text" }, "天璇消费\u200b金融", "天璇消费金融"],
    [{ ...frame, kind: "money" }, "¥5,000元", "5000"],
    [{ ...frame, kind: "money" }, "５，０００．５０", "5000.5"],
    [{ ...frame, kind: "money" }, "5万", "5万"],
    [{ ...frame, kind: "money" }, "", ""],
    [{ ...frame, kind: "percent" }, "１２．５０％", "12.5"],
    [{ ...frame, kind: "integer" }, "１,２００", "1200"],
    [{ ...frame, kind: "integer" }, "12.5", "12.5"],
    [{ ...frame, kind: "area" }, " ５ ", " ５ "],
    [{ ...frame, kind: "text", type: "tel", fixed: true }, "100 0003 0001", "100 0003 0001"],
  ];
  for (const [field, typed, form] of cases) assert.equal(inOneForm(field, typed), form, typed);
  assert.deepEqual(allInOneForm(fields, { price: "￥1，000", ips: " １ ", roles: ["1"], other: " x " }), {
    price: "1000",
    ips: " １ ",
    roles: ["1"],
    other: " x ",
  });
});

test("other inputs decide whether a field is shown and whether it is required", () => {
  const isApi = ({ type }: Inputs) => type === "api";
  const frame = { name: "a", label: "channel.name", kind: "text" } as const;
  assert.equal(shownField({ ...frame, when: isApi }, { type: "h5" }), null);
  assert.equal(shownField({ ...frame, when: isApi }, { type: "api" })?.name, "a");
  assert.equal(shownField({ ...frame, requiredWhen: isApi }, { type: "api" })?.required, true);
  assert.equal(shownField({ ...frame, required: true, requiredWhen: isApi }, { type: "h5" })?.required, false);
  assert.equal(shownField({ ...frame, required: true }, {})?.required, true);
  const refused = { ...frame, when: isApi, requiredWhen: isApi };
  assert.equal(shownField(refused, { type: "h5" }, ["b"]), null);
  assert.equal(shownField(refused, { type: "h5" }, ["a"])?.required, false, "a wrong field is shown, so that it can be corrected");
});
