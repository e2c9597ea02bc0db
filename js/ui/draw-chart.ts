/**
 * Charts as SVG text, drawn by ECharts (bars by size: draw-bars.ts) while the server renders a page; the browser never
 * loads this file. The same chart gives the same text: nothing moves, ids begin with the chart's own, widths
 * of texts are measured by a table instead of a canvas.
 *
 * Colours are variables of the style sheet, so that a picture follows theme and theme colour without
 * being drawn again. The text has no inline styles, which the page's policy would drop.
 */
import { BarChart, LineChart, PieChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

import type { Chart } from "../lib/api-types";
import { drawBars } from "./draw-bars";

use([BarChart, LineChart, PieChart, GridComponent, LabelLayout, SVGRenderer]);

/** Sizes in the picture's own units; the page scales it. */
const SIZE = { width: 600, height: 260 };
/** Of a chart that has the whole width of the page. */
const WIDE = { width: 1100, height: 240 };

const COLORS = [1, 2, 3, 4, 5, 6].map((n) => `var(--chart-${n})`);
/** The colours of tags, strong enough for a picture. */
const TAGS: Readonly<Record<string, string>> = {
  gray: "var(--color-text-3)",
  blue: COLORS[0]!,
  orange: COLORS[1]!,
  green: COLORS[2]!,
  purple: COLORS[3]!,
  cyan: COLORS[4]!,
  red: COLORS[5]!,
};
const TEXT = { color: "var(--color-text-2)", fontSize: 12, fontFamily: "sans-serif" };
const RULE = { lineStyle: { color: "var(--color-border-2)" } };
/** Lines differ in their strokes too, not only in colour. */
const STROKES = ["solid", "dashed", "dotted"] as const;
const STILL = { silent: true, animation: false, emphasis: { disabled: true } };

/** Draws one chart. */
export function drawChart(chart: Chart, isWide = false): string {
  if (chart.kind === "rank") return drawBars(chart, isWide);
  const picture = init(null, null, { renderer: "svg", ssr: true, ...(isWide ? WIDE : SIZE) });
  try {
    picture.setOption({ animation: false, color: COLORS, textStyle: TEXT, ...partsOf(chart) });
    return plain(picture.renderToSVGString({ useViewBox: true }), isWide ? `${chart.id}-wide` : chart.id);
  } finally {
    // A picture that is not disposed of stays in memory: megabytes each.
    picture.dispose();
  }
}

function partsOf({ kind, labels, series, colors }: Chart): EChartsCoreOption {
  switch (kind) {
    case "share": {
      const values = series[0]?.values ?? [];
      const colorOf = (i: number) => (colors[i] ? { itemStyle: { color: TAGS[colors[i]] } } : {});
      const data = labels.map((name, i) => ({ name, value: values[i] ?? 0, ...colorOf(i) })).filter(({ value }) => value > 0);
      const label = { ...TEXT, formatter: "{b} {c}", overflow: "break", width: 150 };
      return { series: [{ ...STILL, type: "pie", radius: ["42%", "70%"], data, label, labelLine: { lineStyle: RULE.lineStyle } }] };
    }
    default:
      return {
        grid: { left: 4, right: 12, top: 12, bottom: 4 },
        xAxis: { ...axisOf(labels), boundaryGap: kind === "stack" },
        yAxis: { type: "value", minInterval: 1, splitLine: RULE, axisLabel: TEXT },
        series: series.map(({ values }, i) =>
          kind === "stack"
            ? { ...STILL, type: "bar", stack: "all", data: values, barMaxWidth: 28 }
            : {
                ...STILL,
                type: "line",
                data: values,
                showSymbol: values.length < 2,
                lineStyle: { width: 2, type: STROKES[i % STROKES.length] },
              },
        ),
      };
  }
}

function axisOf(labels: readonly string[]) {
  return {
    type: "category",
    data: labels,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: "var(--color-border-3)" } },
    axisLabel: { ...TEXT, hideOverlap: true },
  };
}

/**
 * Attributes instead of styles, and nothing that only ECharts reads. Ids begin with the chart's name: ECharts
 * numbers them differently for every picture, and a page has several.
 */
function plain(svg: string, name: string): string {
  return svg
    .replace(/<style[^]*?<\/style>/g, "")
    .replace(/ style="([^"]*)"/g, (_, styles: string) => {
      const size = /font-size:([\d.]+)px/.exec(styles)?.[1];
      return size ? ` font-size="${size}"` : "";
    })
    .replace(/ (?:class|ecmeta_\w+|xmlns(?::\w+)?|xml:space|version|baseProfile|pointer-events)="[^"]*"/g, "")
    .replace(/zr\d+-[\w-]+/g, (id) => `${name}-${id.replace(/^zr\d+-/, "")}`)
    .replaceAll("\n", "");
}
