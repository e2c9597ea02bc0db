import type { words as zh } from "./words.zh";

/** Texts of the statistics. */
export const words = {
  "stat.title.whole.channel": "Channel statistics",
  "stat.title.whole.product": "Product statistics",
  "stat.title.whole.system": "System statistics",
  "stat.title.whole.org": "Organisation statistics",
  "stat.title.whole.score": "Scores",
  "stat.title.day.channel": "Channels day on day",
  "stat.title.day.product": "Products day on day",
  "stat.title.day.system": "Systems day on day",
  "stat.title.day.org": "Organisations day on day",
  "stat.title.month.channel": "Channels by month",
  "stat.title.month.product": "Products by month",
  "stat.title.month.system": "Systems by month",
  "stat.title.month.org": "Organisations by month",
  "stat.empty": "There are no figures in these days.",
  "stat.formulas": "How the figures are computed",
  "stat.rates":
    "A rate is left out where the days have more of the part than of the whole: sales of earlier deliveries, for example, or applicants without a visit, and where fewer than 20 stand behind it.",
  "stat.days": "Days",
  "stat.against": "Compare with",
  "stat.returnsBy": "Count returns on",
  "stat.channel": "Channel",
  "stat.product": "Product",
  "stat.org": "Organisation",
  "stat.dayBefore": "Day",
  "stat.weekBefore": "Week",
  "stat.points": "{change} pp",
} satisfies Record<keyof typeof zh, string>;
