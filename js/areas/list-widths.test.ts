/// <reference types="node" />
/**
 * The columns that a list shows at first fit a window of 1,440 px, with whole figures. The browser gives each column what its
 * longest text needs (js/ui/list-table.css); this test adds up the same, with values as long as they come.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { lists } from "virtual:lists";
import { texts } from "virtual:texts";

import type { Locale } from "../lib/types";
import type { Field } from "../ui/field";

/** The table of a list in a window of 1,440 px with an open menu. */
const WIDTH = 1140;
/** Left and right of what a cell holds. */
const PADDING = 20;
/** The box that picks a row. */
const PICK = 40;
/** Between and around the words of a button. */
const BUTTON = 12;
/** The longest cell (22 rem), and the longest one that is cut (10.5 rem). */
const LONGEST = 352;
const SHORT = 168;
/** Words of a tag are smaller, and it has a ground around them. */
const tagged = (width: number) => (width * 12) / 13 + 16;

// The tests run in js/node_modules/.tests/areas.
const js = fileURLToPath(new URL("../../..", import.meta.url));

/** How wide a text is at 13 px. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += letter > "\u2e80" ? 13 : /[ .,:;|'()il]/.test(letter) ? 4 : /[A-Z\d_%-]/.test(letter) ? 7.5 : 6.9;
  return width;
}

/** Values of texts, by the end of their keys, as long as they come. */
const SAMPLES: readonly (readonly [RegExp, string])[] = [
  [/^(orgName|payeeOrgName|payeeName|buyerName)$/, "杭州井宿消费金融有限公司"],
  [/^(channelName|payeeChannelName)$/, "灯塔半流程 API（西南）"],
  [/^(planName|productName|subOrgName|poolName|groupNames|title|subject)$/i, "武汉有房客户计划"],
  [/(phone|Phone)/, "138****0000"],
  [/^(browser|os)$/, "Chrome 131"],
  [/(Ms|Hundredths)$/, "59.5 min"],
  [/(On|Date)$/, "2026-11-26"],
  [/^decision$/, "待欧阳晓峰以外的同事审核"],
  [/^checkedBy$/, "欧阳晓峰"],
  [/^lastFollowText$/, "已加微信，下周二带资料到店面谈"],
  [/(city|province)/, "呼和浩特市"],
  [/(real|creator|owner|staff|admin|manager|sales|settler|applicant|contact|nick|operator)\w*(Name|name)$/, "欧阳晓峰"],
  [/^name$/, "橙果短视频信息流华南"],
  [/^nameMask$/, "欧阳** 测试"],
];

function sampleOf(key: string): string {
  return SAMPLES.find(([pattern]) => pattern.test(key))?.[1] ?? "八个汉字这么长的";
}

/** The longest value of a field. */
function valueWidth(field: Field<never>, words: Readonly<Record<string, string>>): number {
  switch (field.kind) {
    case "time":
      return widthOf("2026-11-26 23:45");
    case "money":
      return widthOf("1,234,567.00");
    case "count":
      return widthOf("123,456");
    case "basisPoints":
      return widthOf("100.25%");
    case "flag":
      return Math.max(widthOf(words["ui.yes"]!), widthOf(words["ui.no"]!));
    case "code":
      return widthOf(
        /phone|ip$/i.test(field.key) ? "138.100.120.200" : /^(day|month)$/.test(field.key) ? "2026-11-26" : "PS20261018-HMNBBTYP",
      );
    case "enum": {
      const labels = Object.keys(words).filter(
        (key) => key.startsWith(`${field.labels}.`) && !key.slice(field.labels!.length + 1).includes("."),
      );
      const longest = Math.max(0, ...labels.map((key) => widthOf(words[key]!)));
      return field.colors ? tagged(longest) : longest;
    }
    default:
      return widthOf(sampleOf(field.key));
  }
}

function columnWidth(field: Field<never>, words: Readonly<Record<string, string>>): number {
  const head = widthOf(words[field.title]!) + (field.sort ? 15 : 0);
  const value = Math.max(head, valueWidth(field, words)) + PADDING;
  return Math.min(value, field.short ? Math.max(SHORT, head + PADDING) : LONGEST);
}

/** The words of the buttons that a row shows: the first two, and that of the menu of the others. */
function actionLabels(file: string, exported: unknown, words: Readonly<Record<string, string>>): string[] {
  const actions = typeof exported === "function" ? exported(new Proxy({}, { get: () => [] })) : exported;
  const source = readFileSync(`${js}areas/${file}`, "utf8");
  const labels: string[] = Array.isArray(actions)
    ? actions.map(({ label }) => label)
    : [
        ...source
          .slice(Math.max(source.indexOf("actions={["), source.indexOf("const actions")))
          .matchAll(/\{\s*label: "([\w.]+)",\s*point/g),
      ].map(([, label]) => label!);
  return labels.length > 2 ? [labels[0]!, labels[1]!, "ui.more"].map((label) => words[label]!) : labels.map((label) => words[label]!);
}

for (const locale of ["zh-CN", "en-US"] as const satisfies Locale[]) {
  test(`the columns shown at first fit the page in ${locale}`, () => {
    const words = texts[locale] as unknown as Readonly<Record<string, string>>;
    const tooWide: string[] = [];
    let measured = 0;
    for (const [file, { fields, actions, picks }] of Object.entries(lists)) {
      const exported = fields.module?.[fields.name!];
      const all: unknown = typeof exported === "function" ? callFields(exported as (...parameters: never[]) => unknown, locale) : exported;
      if (!Array.isArray(all)) continue;
      measured += 1;
      const shown = (all as Field<never>[]).filter(({ list }) => list === undefined);
      const labels = actionLabels(file, actions.module?.[actions.name!], words);
      const buttons = labels.length > 0 ? labels.reduce((sum, label) => sum + widthOf(label) + BUTTON, 12) : 0;
      const width = (picks ? PICK : 0) + buttons + shown.reduce((sum, field) => sum + columnWidth(field, words), 0);
      const columns = () => shown.map((field) => `${field.key} ${Math.round(columnWidth(field, words))}`).join(", ");
      if (width > WIDTH) tooWide.push(`${file}: ${Math.round(width)} px (buttons ${Math.round(buttons)}, ${columns()})`);
    }
    assert.ok(measured > 50, `${measured} lists`);
    assert.deepEqual(tooWide, []);
  });
}

/** Fields of functions: of a language, of types and a language, or of what the viewer may see. */
function callFields(make: (...parameters: never[]) => unknown, locale: Locale): unknown {
  return make.length === 1 ? make(locale as never) : make([] as never, locale as never);
}
