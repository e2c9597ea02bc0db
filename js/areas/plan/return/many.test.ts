/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";

import type { DictOption, PushRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import { manyForm, returnOf } from "./many";

const t = ((key: string) => key) as Translate;
const rows = [7, 8].map((id) => ({ id, no: `PS-${id}`, nameMask: "李*", priceCents: 4500 })) as PushRow[];
const reasons = [{ value: "dead", label: "Dead" }] as unknown as DictOption[];
const typed = {
  table: "",
  reasonCode7: "dead",
  note7: "",
  proofFileIds7: ["3"],
  reasonCode8: "other",
  note8: "a reason",
  proofFileIds8: [],
};

test("each lead has its own reason, note and files", () => {
  const { schema, fields } = manyForm(t, rows, reasons);
  assert.deepEqual(
    fields.map(({ name }) => name),
    ["table", "reasonCode7", "note7", "proofFileIds7", "reasonCode8", "note8", "proofFileIds8"],
  );
  const values = z.parse(schema as z.ZodMiniType<Record<string, string | number[]>>, typed);
  assert.deepEqual(returnOf(7, values), { pushId: 7, reasonCode: "dead", note: "", proofFileIds: [3] });
  assert.deepEqual(returnOf(8, values), { pushId: 8, reasonCode: "other", note: "a reason", proofFileIds: [] });
});

test("the reason 'other' needs a note for its own lead", () => {
  const { schema } = manyForm(t, rows, reasons);
  const wrong = z.safeParse(schema as z.ZodMiniType, { ...typed, note8: "" });
  assert.deepEqual(
    wrong.error?.issues.map(({ path }) => path),
    [["note8"]],
  );
});

test("nothing is sent while a table is not filled in", () => {
  const { schema } = manyForm(t, rows, reasons);
  const wrong = z.safeParse(schema as z.ZodMiniType, { ...typed, table: "PS-7,dead" });
  assert.deepEqual(
    wrong.error?.issues.map(({ path }) => path),
    [["table"]],
  );
});
