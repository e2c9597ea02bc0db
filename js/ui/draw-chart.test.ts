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
  colors: [],
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
    assert.match(svg, kind === "rank" ? /^<svg width="100%" height="\d+"/ : /^<svg [^>]*viewBox="0 0 600 260"/);
    assert.ok(!/ style=|<style|<script|class=|http/.test(svg), svg.slice(0, 400));
    assert.match(svg, /var\(--chart-1\)/);
    const painted = svg.replace(/<clipPath[^]*?<\/clipPath>/g, "");
    assert.ok(
      !/#[0-9a-f]{3,6}\b|rgb/i.test(painted),
      `${kind} holds a colour of its own: ${/.{60}(#[0-9a-f]{3,6}\b|rgb).{20}/i.exec(painted)?.[0]}`,
    );
  }
});

test("a chart of the whole width of a page is drawn low, and its ids are its own", () => {
  const [narrow, wide] = [drawChart(chart("line")), drawChart(chart("line"), true)];
  assert.match(wide, /viewBox="0 0 1100 240"/);
  const idsOf = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  assert.deepEqual(
    idsOf(wide).filter((id) => idsOf(narrow).includes(id)),
    [],
  );
});

test("bars have whole names, and their numbers stay inside", () => {
  const long = "南十字 Southern Cross Consumer Finance Corporation of Hangzhou";
  const ranked: Chart = {
    ...chart("rank"),
    labels: [long, "b", "c"],
    series: [{ name: "s", values: [1_234_567, 10, 0] }],
  };
  for (const [isWide, longest] of [
    [false, 76],
    [true, 38],
  ] as const) {
    const svg = drawChart(ranked, isWide);
    assert.ok(svg.includes(`>${long}</text>`) && svg.includes(">1,234,567</text>"));
    const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)%"/g)].map(([, width]) => Number(width));
    assert.equal(Math.max(...widths), longest);
  }
  assert.match(drawChart(ranked, true), /x="52%"/);
});

test("parts have the colours of their tags", () => {
  const parts: Chart = {
    ...chart("share"),
    labels: ["paused", "disabled"],
    series: [{ name: "s", values: [1, 2] }],
    colors: ["orange", "gray"],
  };
  const svg = drawChart(parts);
  assert.match(svg, /fill="var\(--chart-2\)"/);
  assert.match(svg, /fill="var\(--color-text-3\)"/);
  assert.ok(!svg.includes("var(--chart-1)"));
});
