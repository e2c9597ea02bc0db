import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chart, ChartKind } from "../lib/api-types";
import { drawChart } from "./draw-chart";

const labels = Array.from({ length: 30 }, (_, i) => `2026-01-${i < 9 ? "0" : ""}${i + 1}`);
const chart = (kind: ChartKind): Chart => ({
  id: kind,
  title: kind,
  kind,
  axis: "日期",
  labels,
  series: [1, 2].map((n) => ({ name: `s${n}`, values: labels.map((_, i) => (i * n) % 7) })),
});
const kinds: readonly ChartKind[] = ["line", "stack", "share", "rank"];

test("the same chart is the same text, whatever was drawn before", () => {
  const first = kinds.map((kind) => drawChart(chart(kind)));
  for (const kind of kinds) drawChart({ ...chart(kind), labels: ["x"], series: [{ name: "x", values: [1] }] });
  assert.deepEqual(
    kinds.map((kind) => drawChart(chart(kind))),
    first,
  );
});

test("a picture keeps to what the page's policy lets through", () => {
  for (const kind of kinds) {
    const svg = drawChart({ ...chart(kind), labels: labels.map((label) => `<script>${label}`) });
    assert.match(svg, /^<svg [^>]*viewBox="0 0 600 260"/);
    assert.ok(!/ style=|<style|<script|class=|http/.test(svg), svg.slice(0, 400));
    assert.match(svg, /var\(--chart-1\)/);
    const painted = svg.replace(/<clipPath[^]*?<\/clipPath>/g, "");
    assert.ok(
      !/#[0-9a-f]{3,6}\b|rgb/i.test(painted),
      `${kind} holds a colour of its own: ${/.{60}(#[0-9a-f]{3,6}\b|rgb).{20}/i.exec(painted)?.[0]}`,
    );
  }
});
