/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import { FIELD_NAME, VALUE_LINE, isNameInput, linesOf, linesOfFields, linesOfValues, nameInput, namesOf, valuesOfLines } from "./maps";

test("maps become lines and lines become maps", () => {
  const fields = { name: "userName", phone: "data.mobile" };
  const values = { sex: { male: "1", female: "a=b" }, car: { owned: "2" } };
  assert.deepEqual(linesOfFields(fields), ["name = userName", "phone = data.mobile"]);
  assert.deepEqual(linesOfValues(values), ["sex.male = 1", "sex.female = a=b", "car.owned = 2"]);
  assert.deepEqual(valuesOfLines(linesOfValues(values)), values);
});

test("only fields with a name there are sent", () => {
  const inputs = { [nameInput("name")]: " userName ", [nameInput("phone")]: "data.mobile", [nameInput("age")]: " ", status: "enabled" };
  assert.deepEqual(namesOf(["age", "name", "phone", "sex"], inputs), { name: "userName", phone: "data.mobile" });
  assert.deepEqual(Object.keys(inputs).filter(isNameInput).length, 3);
  assert.deepEqual(linesOf(" sex.male = 1\n\ncar.owned = 2 "), ["sex.male = 1", "car.owned = 2"]);
});

test("names and lines have their shape", () => {
  assert.ok(FIELD_NAME.test("user.mobile") && FIELD_NAME.test("list[0]") && !FIELD_NAME.test("user name") && !FIELD_NAME.test(""));
  assert.ok(VALUE_LINE.test("sex.male = 1") && !VALUE_LINE.test("sex = 1") && !VALUE_LINE.test("sex.male"));
});
