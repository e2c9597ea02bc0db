/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { routes as table } from "virtual:routes";
import { texts } from "virtual:texts";

import type { MessageKey } from "./i18n";

const { "zh-CN": inChinese, "en-US": inEnglish } = texts;

const keys = Object.keys(inChinese) as MessageKey[];
const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

/** Texts that are the same words in both languages. */
const SHARED = new Set(["AppID", "App Key", "App Secret", "User-Agent", "iOS", "Android", "Excel（.xlsx）", "Ctrl + Enter：", "zh-CN"]);
/** Texts that name the other language, and one about its numerals. */
const OF_THE_OTHER = new Set<MessageKey>(["shell.language", "shell.languageLabel", "ui.rule.unit"]);

// S1.13
test("each text is there in both languages, with the same places", () => {
  assert.deepEqual(Object.keys(inEnglish).toSorted(), keys.toSorted());
  const places = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? [];
  for (const key of keys) {
    assert.ok(inChinese[key].trim() !== "" && inEnglish[key].trim() !== "", key);
    assert.deepEqual(places(inEnglish[key]), places(inChinese[key]), key);
  }
});

// S1.13
test("each text is in the language of its catalogue", () => {
  for (const key of keys.filter((key) => !OF_THE_OTHER.has(key))) {
    assert.ok(!isChinese(inEnglish[key]), `${key} in English: ${inEnglish[key]}`);
    // Abbreviations in capitals and bare marks have no translation.
    const text = inChinese[key].replace(/\{\w+\}/g, "");
    assert.ok(isChinese(text) || !/[a-z]/.test(text) || SHARED.has(text), `${key} in Chinese: ${text}`);
  }
});

interface Entry {
  name: string;
  title: Record<"zh-CN" | "en-US", string>;
  points?: { code: string; title: Record<"zh-CN" | "en-US", string> }[];
  children?: Entry[];
}

// S1.13
test("each page, group, link and permission point has a title in both languages", () => {
  const check = (name: string, title: Entry["title"]) => {
    assert.ok(isChinese(title["zh-CN"]) || /^[A-Z0-9]+$/.test(title["zh-CN"]), `${name}: ${title["zh-CN"]}`);
    assert.ok(title["en-US"].trim() !== "" && !isChinese(title["en-US"]), `${name}: ${title["en-US"]}`);
  };
  const walk = (entries: readonly Entry[]) => {
    for (const { name, title, points = [], children = [] } of entries) {
      check(name, title);
      for (const point of points) check(point.code, point.title);
      walk(children);
    }
  };
  walk(table as unknown as readonly Entry[]);
});
