// Writes the tables of provinces and cities from @vant/area-data (names and codes of GB/T 2260) and pinyin-pro:
//   node places.mjs
//
// places.json is for both sides: [code, name, English name, pinyin by syllable] of provinces and of cities.
// ../crates/frame/src/places/counties.json is for the server, which recognises cities by their counties: names by the code of the city.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { areaList } from "@vant/area-data";
import { pinyin } from "pinyin-pro";

/** Provinces without a second level in GB/T 2260, where the package has its own codes. Each is one city. */
const UNDIVIDED = ["710000", "810000", "820000"];
/** Prefixes of cities and counties without a city above them: each of them counts as a city. */
const DIRECT = /^(4190|4290|4690|6590)/;
/** Cities without counties: what the package has below them are towns. */
const WITHOUT_COUNTIES = ["441900", "442000", "460400"];

const PEOPLES =
  /(壮族|回族|维吾尔|朝鲜族|土家族|苗族|藏族|羌族|彝族|布依族|侗族|哈尼族|傣族|白族|景颇族|傈僳族|蒙古族|蒙古|柯尔克孜|哈萨克|黎族)+$/;

/** 恩施 of 恩施土家族苗族自治州, 上海 of 上海市. */
export function shortName(name) {
  if (name === "内蒙古自治区") return "内蒙古";
  const short = name.replace(/(特别行政区|自治区|自治州|自治县|地区|林区|省|市|县|盟)$/, "");
  return /自治/.test(name) ? short.replace(PEOPLES, "") || short : short;
}

/** English names that are not the pinyin syllables joined. */
const ENGLISH = {
  内蒙古: "Inner Mongolia",
  西藏: "Tibet",
  陕西: "Shaanxi",
  香港: "Hong Kong",
  澳门: "Macao",
  台湾: "Taiwan",
  呼和浩特: "Hohhot",
  鄂尔多斯: "Ordos",
  呼伦贝尔: "Hulunbuir",
  巴彦淖尔: "Bayannur",
  乌兰察布: "Ulanqab",
  锡林郭勒: "Xilingol",
  兴安: "Hinggan",
  阿拉善: "Alxa",
  哈尔滨: "Harbin",
  齐齐哈尔: "Qiqihar",
  大兴安岭: "Daxing'anling",
  阿坝: "Ngawa",
  甘孜: "Garzê",
  迪庆: "Dêqên",
  德宏: "Dehong",
  拉萨: "Lhasa",
  日喀则: "Shigatse",
  昌都: "Chamdo",
  林芝: "Nyingchi",
  山南: "Shannan",
  那曲: "Nagqu",
  阿里: "Ngari",
  果洛: "Golog",
  乌鲁木齐: "Ürümqi",
  克拉玛依: "Karamay",
  吐鲁番: "Turpan",
  哈密: "Hami",
  博尔塔拉: "Bortala",
  巴音郭楞: "Bayingolin",
  阿克苏: "Aksu",
  克孜勒苏: "Kizilsu",
  喀什: "Kashgar",
  和田: "Hotan",
  伊犁: "Ili",
  塔城: "Tacheng",
  阿勒泰: "Altay",
  石河子: "Shihezi",
  阿拉尔: "Aral",
  图木舒克: "Tumxuk",
  可克达拉: "Kokdala",
};

/** Names whose syllables the pinyin package gets wrong. */
const SYLLABLES = { 六安: "lu an", 台州: "tai zhou", 大城: "dai cheng", 丽水: "li shui", 昌都: "chang du", 喀什: "ka shi" };

function described(code, name) {
  const short = shortName(name);
  const syllables = SYLLABLES[short] ?? pinyin(short, { toneType: "none", type: "array", v: true }).join(" ");
  const joined = syllables.split(" ").reduce((all, next) => (/^[aoe]/.test(next) ? `${all}'${next}` : all + next));
  const english =
    ENGLISH[short] ?? (joined[0].toUpperCase() + joined.slice(1)).replace(/lv/g, "lü").replace(/Lv/g, "Lü").replace(/nv/g, "nü");
  return [code, name, english, syllables];
}

/** Both tables as texts. */
export function tables() {
  const { province_list, city_list, county_list } = areaList;
  const provinces = Object.entries(province_list).map(([code, name]) => described(code, name));
  const cities = [
    ...Object.entries(city_list).filter(
      ([code]) => !DIRECT.test(code) && code !== "500200" && !UNDIVIDED.includes(`${code.slice(0, 2)}0000`),
    ),
    ...Object.entries(county_list).filter(([code]) => DIRECT.test(code)),
    ...UNDIVIDED.map((code) => [code, province_list[code]]),
  ]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, name]) => described(code, name));

  // Cities whose English names are the same: Suzhou (Jiangsu), Suzhou (Anhui).
  const english = (rows) => new Map(rows.map(([code, , name]) => [code, name]));
  const provinceOf = english(provinces);
  const names = [...english(cities).values()];
  for (const city of cities) {
    if (names.filter((name) => name === city[2]).length > 1) city[2] = `${city[2]} (${provinceOf.get(`${city[0].slice(0, 2)}0000`)})`;
  }

  const counties = {};
  for (const [code, name] of [...Object.entries(county_list), ...Object.entries(city_list)]) {
    const province = `${code.slice(0, 2)}0000`;
    const undivided = UNDIVIDED.includes(province);
    if (DIRECT.test(code) || name.startsWith("其它") || (!undivided && code.endsWith("00"))) continue;
    const above = undivided ? province : code.startsWith("5002") ? "500100" : `${code.slice(0, 4)}00`;
    if (WITHOUT_COUNTIES.includes(above)) continue;
    (counties[above] ??= new Set()).add(name);
  }
  const lines = (rows) => `[\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n")}\n  ]`;
  return {
    places: `{\n  "provinces": ${lines(provinces)},\n  "cities": ${lines(cities)}\n}\n`,
    counties: `{\n${Object.entries(counties)
      .map(([code, names]) => `  "${code}": ${JSON.stringify([...names])}`)
      .join(",\n")}\n}\n`,
  };
}

// Not when a test has compiled this file in.
if (/(^|[/\\])places\.mjs$/.test(process.argv[1] ?? "")) {
  const here = dirname(fileURLToPath(import.meta.url));
  const { places, counties } = tables();
  writeFileSync(join(here, "places.json"), places);
  writeFileSync(join(here, "../crates/frame/src/places/counties.json"), counties);
}
