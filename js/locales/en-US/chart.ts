import type { chart as zh } from "../zh-CN/chart";

/** Texts of charts and of the page of them. */
export const chart = {
  "chart.page": "Data visualisation",
  "chart.range": "Range",
  "chart.days": "Last {days} days",
  "chart.from": "From",
  "chart.to": "To",
  "chart.show": "Show",
  "chart.colon": ": ",
  "chart.total": "{name} {total} in total",
  "chart.sum": "Total",
  "chart.table": "Table",
  "chart.tableOf": "Table of {title}",
  "chart.csv": "Download the “{title}” table (CSV)",
  "chart.png": "Download the “{title}” chart (PNG)",
  "chart.none": "No data for these days",
  "chart.nothing": "No charts to show",
  "chart.nothingText": "The charts you see depend on your permissions; ask an administrator if you need more.",
} satisfies Record<keyof typeof zh, string>;
