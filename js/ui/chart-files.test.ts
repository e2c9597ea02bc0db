import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "./chart-files";

test("a chart's file is its table, and no cell of it is a formula", () => {
  const series = [
    { name: "Signed, in", values: [1, -2] },
    { name: '=A1&"x"', values: [3, 4] },
  ];
  const csv = csvOf({ id: "x", title: "X", kind: "line", axis: "Day", labels: ["2026-01-01", "-"], series, colors: [] });
  assert.equal(csv, 'Day,"Signed, in","\'=A1&""x"""\r\n2026-01-01,1,3\r\n\'-,-2,4\r\n');
});
