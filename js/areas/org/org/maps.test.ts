/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { FIELD_LINE, VALUE_LINE, fieldsOfLines, linesOfFields, linesOfValues, valuesOfLines } from "./maps";

test("maps become lines and lines become maps", () => {
  const fields = { name: "userName", phone: "data.mobile" };
  const values = { sex: { male: "1", female: "a=b" }, car: { owned: "2" } };
  assert.deepEqual(linesOfFields(fields), ["name = userName", "phone = data.mobile"]);
  assert.deepEqual(fieldsOfLines(linesOfFields(fields)), fields);
  assert.deepEqual(linesOfValues(values), ["sex.male = 1", "sex.female = a=b", "car.owned = 2"]);
  assert.deepEqual(valuesOfLines(linesOfValues(values)), values);
});

test("lines have their shape", () => {
  assert.ok(FIELD_LINE.test("name=userName") && !FIELD_LINE.test("name userName") && !FIELD_LINE.test("name = "));
  assert.ok(VALUE_LINE.test("sex.male = 1") && !VALUE_LINE.test("sex = 1") && !VALUE_LINE.test("sex.male"));
});
