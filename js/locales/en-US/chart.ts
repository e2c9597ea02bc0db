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
  "chart.total": "{name} {total} in all",
  "chart.sum": "Total",
  "chart.table": "Table",
  "chart.tableOf": "Table of {title}",
  "chart.csv": "Download the table of “{title}” (CSV)",
  "chart.png": "Download the picture of “{title}” (PNG)",
  "chart.none": "Nothing in these days",
  "chart.nothing": "No charts for you",
  "chart.nothingText": "Charts follow your permissions; ask an administrator for more.",
} satisfies Record<keyof typeof zh, string>;
