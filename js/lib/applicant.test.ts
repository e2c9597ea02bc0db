/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { applicantParts, fieldsOfPart, inShort, saidOf } from "./applicant";
import { applicantFields } from "./terms-table";

test("every field that an applicant tells of himself is in one part", () => {
  const names = applicantParts.flatMap(({ title }) => fieldsOfPart(title).map(({ name }) => name));
  const said = applicantFields.filter(({ past }) => !past).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), said.toSorted());
});

test("what he said reads as people say it, in the order in which it is asked", () => {
  const said = {
    overdue: "none",
    creditCard: true,
    baitiao: false,
    applyAmountCents: 5_000_050,
    incomeCentsMonth: 800_000,
    city: "310100",
    age: 30,
  };
  assert.deepEqual(saidOf(said, "zh-CN"), [
    ["年龄", "30"],
    ["城市", "上海市"],
    ["申请金额", "50,000.50 元"],
    ["月收入", "8,000 元"],
    ["信用卡", "有信用卡"],
    ["白条", "无白条"],
    ["逾期", "无"],
  ]);
  assert.deepEqual(saidOf({ house: "mortgaged", bizLicenseMonths: 12 }, "en-US"), [
    ["Business licence", "12 months"],
    ["House", "Mortgaged"],
  ]);
});

test("what is none of the fields any more is told as it is", () => {
  assert.deepEqual(saidOf({ shoeSize: 42, house: "castle" }, "en-US"), [
    ["House", "Castle"],
    ["shoeSize", "42"],
  ]);
});

test("some answers in short name what a value alone would not say", () => {
  const said = { applyAmountCents: 5_000_000, creditCard: true, house: "mortgaged", age: 30 };
  assert.deepEqual(inShort(said, ["incomeCentsMonth", "applyAmountCents", "house", "creditCard"], "zh-CN"), [
    "申请金额 50,000 元",
    "房产 按揭",
    "有信用卡",
  ]);
  assert.deepEqual(inShort(said, ["age", "none"], "en-US"), ["Age 30"]);
});
