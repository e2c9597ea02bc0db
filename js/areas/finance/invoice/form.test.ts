/** The checks of a request for an invoice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { safeParse } from "zod/mini";

import type { Translate } from "../../../lib/i18n";
import { invoiceSchema, redSchema } from "./form";

const schema = invoiceSchema(((key: string) => key) as Translate);

/** The inputs of a valid request. */
const inputs = {
  orgId: "1",
  payeeOrgId: "2",
  amountCents: "60",
  content: "信息服务费",
  kind: "plain",
  titleType: "company",
  title: "北辰银行",
  taxNo: "91310000MA1FL0XXXX",
  bank: "",
  bankAccount: "",
  regAddress: "",
  regPhone: "",
  receiverName: "邵明",
  receiverPhone: "13812340001",
  receiverAddress: "人民路 18 号",
  receiverEmail: "",
  remark: "",
};

/** The fields that are wrong. */
function wrong(changes: Partial<typeof inputs>): unknown[] {
  const { error } = safeParse(schema, { ...inputs, ...changes });
  return error?.issues.map(({ path }) => path.join(".")) ?? [];
}

const sent = (changes: Partial<typeof inputs>) => Object.keys(safeParse(schema, { ...inputs, ...changes }).data ?? {});

test("each kind of invoice asks for what it needs, all at once", () => {
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({ kind: "special" }), ["bank", "bankAccount", "regAddress", "regPhone"]);
  assert.deepEqual(wrong({ kind: "electronic" }), ["receiverEmail"]);
  assert.deepEqual(wrong({ title: "", amountCents: "", receiverPhone: "1", taxNo: "x" }).toSorted(), [
    "amountCents",
    "receiverPhone",
    "taxNo",
    "title",
  ]);
  assert.deepEqual(wrong({ kind: "special", titleType: "person", bank: "b", bankAccount: "6222 1", regAddress: "a", regPhone: "1" }), [
    "titleType",
  ]);
});

test("what a kind does not show is neither checked nor sent", () => {
  assert.deepEqual(wrong({ titleType: "person", taxNo: "x" }), []);
  assert.deepEqual(wrong({ kind: "electronic", receiverEmail: "a@b.cn", receiverPhone: "1", bankAccount: "x" }), []);
  assert.ok(!sent({ titleType: "person" }).includes("taxNo"));
  assert.ok(!sent({ kind: "electronic", receiverEmail: "a@b.cn" }).includes("receiverPhone"));
  assert.ok(sent({}).includes("taxNo") && sent({}).includes("receiverAddress"));
});

test("a red-letter invoice counts back no more than what is left of its invoice", () => {
  const left = redSchema(((key: string) => key) as Translate, 300);
  const amounts = ["", "0", "-1", "3", "3.01"];
  assert.deepEqual(
    amounts.filter((amountCents) => safeParse(left, { amountCents, reason: "退单" }).success),
    ["3"],
  );
  assert.equal(safeParse(left, { amountCents: "1", reason: " " }).success, false);
});
