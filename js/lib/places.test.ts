import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { texts } from "virtual:texts";

import { tables } from "../places.mjs";
import { citiesOf, cityCodes, findPlaces, isCity, placeName, placeText } from "./places";
import { translator } from "./i18n";

/** From js/node_modules/.tests/lib, where the compiled test is. */
const ROOT = join(import.meta.dirname, "../../../..");

test("the committed tables are those of the packages", () => {
  const written = tables();
  assert.equal(readFileSync(join(ROOT, "js/places.json"), "utf8"), written.places, "run node js/places.mjs");
  assert.equal(readFileSync(join(ROOT, "crates/frame/src/places/counties.json"), "utf8"), written.counties, "run node js/places.mjs");
});

test("each city has one code, one name in each language, and a province", () => {
  assert.equal(new Set(cityCodes).size, cityCodes.length);
  for (const locale of ["zh-CN", "en-US"] as const) {
    const names = cityCodes.map((code) => placeName(code, locale));
    assert.equal(new Set(names).size, names.length, names.filter((name, index) => names.indexOf(name) < index).join());
    for (const code of cityCodes) assert.notEqual(placeName(`${code.slice(0, 2)}0000`, locale), `${code.slice(0, 2)}0000`);
  }
});

test("cities are found by name, pinyin, initials and province", () => {
  const first = (keyword: string) => findPlaces(keyword, "zh-CN")[0]?.label;
  const forms = ["上海", "shanghai", "sh", "310100", "SHANG HAI"];
  assert.deepEqual(
    forms.map((keyword) => findPlaces(keyword, "zh-CN").some(({ label }) => label === "上海市")),
    forms.map(() => true),
  );
  assert.deepEqual(["杭州", "hangzhou", "xi'an", "chongqing", "wulumuqi", "Ürümqi", "lvliang"].map(first), [
    "杭州市",
    "杭州市",
    "西安市",
    "重庆市",
    "乌鲁木齐市",
    "乌鲁木齐市",
    "吕梁市",
  ]);
  assert.equal(findPlaces("浙江", "en-US").length, 11);
  assert.deepEqual(findPlaces("zhejiang", "en-US", true)[0], { value: "330000", label: "All of Zhejiang" });
  assert.equal(citiesOf("330000").length, 11);
  assert.deepEqual(findPlaces("atlantis", "en-US"), []);
});

test("a text that is no city is marked", () => {
  const [zh, en] = [translator(texts["zh-CN"]), translator(texts["en-US"])];
  assert.equal(placeText(["310100", "某地"], zh), "上海市、某地（未识别）");
  assert.equal(placeText("310100, 330100", en), "Shanghai, Hangzhou");
  assert.deepEqual([placeText("", zh), placeText(null, zh), placeText("310000", en)], ["", "", "Shanghai"]);
  assert.ok(isCity("310100") && !isCity("上海"));
});
