/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";

import type { DictOption, PushRow } from "../../../lib/api-types";
import type { Translate } from "../../../lib/i18n";
import { cellsOf, MOST_ROWS, textOf } from "../../../ui/table-text";
import { readReturns } from "./table";

/** A text with what it is filled in with, as far as tests compare it. */
const t = ((key: string, values?: Record<string, unknown>) => (values ? `${key} ${Object.values(values).join(" ")}` : key)) as Translate;
const leads = [7, 8, 9].map((id) => ({ id, no: `PS2026-${id}` })) as PushRow[];
const reasons = [
  { value: "dead_number", label: "空号" },
  { value: "other", label: "其他" },
] as unknown as DictOption[];
const read = (text: string) => readReturns(t, text, leads, reasons);
const faultsOf = (text: string) => read(text).faults.map(({ row, text }) => [row, text]);

test("a table from a spreadsheet and one with commas say the same", () => {
  const wanted = {
    rows: [
      { id: 7, reasonCode: "dead_number", note: "" },
      { id: 9, reasonCode: "other", note: "called twice, no answer" },
    ],
    faults: [],
  };
  assert.deepEqual(read("推送编号\t退单原因\t说明\r\nPS2026-7\t空号\t\r\nPS2026-9\t其他\tcalled twice, no answer\r\n"), wanted);
  assert.deepEqual(read('\ufeffPS2026-7,dead_number,,\n\n ps2026-9 , OTHER ,"called twice, no answer"'), wanted);
  assert.deepEqual(read('ＰＳ2026－7\t空号\nPS2026-9\t其他\t"called twice,\nno answer"'), wanted);
});

test("each row has its own fault, numbered as in the table", () => {
  const faults = faultsOf(
    [
      "no,reason,note",
      "PS2026-7,dead_number",
      "PS2026-7,dead_number",
      "",
      "PS2026-1,dead_number",
      ",dead_number",
      "PS2026-8",
      "PS2026-9,other",
    ].join("\n"),
  );
  assert.deepEqual(faults, [
    [3, "ui.table.twice PS2026-7"],
    [5, "ui.table.unknown PS2026-1"],
    [6, "push.no: ui.rule.required"],
    [7, "return.reason: ui.rule.required"],
    [8, "return.note: ui.rule.required"],
  ]);
  assert.deepEqual(faultsOf("PS2026-8,bad,x\nPS2026-9,dead_number,a,b"), [
    [1, "ui.table.noChoice bad 空号ui.comma其他"],
    [2, "ui.table.columns 3"],
  ]);
  assert.deepEqual(faultsOf(`PS2026-8,dead_number,${"长".repeat(501)}`), [[1, "ui.rule.tooLong 500 501"]]);
});

test("a quotation mark without an end swallows no lead without a word", () => {
  assert.deepEqual(faultsOf('PS2026-7,dead_number\nPS2026-8,dead_number,"gone\nPS2026-9,dead_number'), [[2, "ui.table.quote"]]);
  assert.deepEqual(cellsOf('a,"b ""c"" d",5" disk'), { rows: [["a", 'b "c" d', '5" disk']], isOpen: false });
});

test("a table has a bound, and nothing in it is nothing", () => {
  const lines = (count: number) => "no,reason\n" + "PS2026-7,dead_number\n".repeat(count);
  assert.equal(faultsOf(lines(MOST_ROWS)).length, MOST_ROWS - 1, "all but the first are repeated");
  assert.deepEqual(faultsOf(lines(MOST_ROWS + 99)).at(-1), [MOST_ROWS + 2, `ui.rule.tooMany ${MOST_ROWS}`]);
  assert.deepEqual(read(" \n\t\n"), { rows: [], faults: [] });
  assert.deepEqual(read("推送编号,退单原因,说明"), { rows: [], faults: [] });
});

test("a CSV file is read as UTF-8 or as a Chinese spreadsheet writes it, and no other file", async () => {
  const file = (bytes: readonly number[]) => new File([new Uint8Array(bytes)], "returns.csv");
  assert.equal(await textOf(new File(["\ufeff空号"], "returns.csv")), "空号");
  assert.equal(await textOf(file([0xbf, 0xd5, 0xba, 0xc5])), "空号");
  assert.equal(await textOf(file([0x50, 0x4b, 0x03, 0x04, 0x00])), null);
  assert.equal(await textOf(new File(["x".repeat(1_000_001)], "returns.csv")), null);
});
