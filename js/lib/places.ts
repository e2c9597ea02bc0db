/** Provinces and cities by the codes of GB/T 2260, as js/places.json has them. Only pages that show or choose cities load this. */
import table from "../places.json";
import type { Choice } from "./choice";
import { localeOf, type Translate } from "./i18n";
import type { Locale } from "./types";

/** Code, name, English name, pinyin by syllable. */
type Line = readonly [code: string, name: string, english: string, pinyin: string];

const provinces = table.provinces as unknown as readonly Line[];
const cities = table.cities as unknown as readonly Line[];
const byCode = new Map([...provinces, ...cities].map((line) => [line[0], line]));
const isCityCode = new Set(cities.map(([code]) => code));

/** The value of a filter for cities that are not in the table. */
export const UNKNOWN_CITY = "unknown";

/** The codes of all cities. */
export const cityCodes: readonly string[] = cities.map(([code]) => code);

/** Whether a text is the code of a city. */
export const isCity = (text: string) => isCityCode.has(text);

/** The name of a code's place; another text stays as it is. */
export function placeName(code: string, locale: Locale): string {
  return byCode.get(code)?.[locale === "zh-CN" ? 1 : 2] ?? code;
}

/** A city, a province or a list of cities as people read it; older texts that are not in the table are marked. */
export function placeText(value: unknown, t: Translate): string {
  const locale = localeOf(t);
  const codes = Array.isArray(value) ? value.map(String) : String(value ?? "").split(", ");
  const marked = (code: string) =>
    byCode.has(code) || code === "-" ? placeName(code, locale) : code + pick(locale, "（未识别）", " (not recognised)");
  return codes.filter(Boolean).map(marked).join(t("ui.comma"));
}

/** All cities as choices. */
export function cityChoices(locale: Locale): readonly Choice[] {
  return cities.map(([code]) => ({ value: code, label: placeName(code, locale) }));
}

/** The cities of a province. */
export function citiesOf(province: string): string[] {
  return cityCodes.filter((code) => code.slice(0, 2) === province.slice(0, 2));
}

/**
 * The cities that a keyword finds by name, English name, pinyin, initials or province; those whose own name begins with it come
 * first. `whole` also offers provinces with several cities.
 */
export function findPlaces(keyword: string, locale: Locale, whole = false): readonly Choice[] {
  const wanted = plain(keyword);
  if (wanted === "") return cityChoices(locale);
  const rank = (line: Line): number => {
    const forms = formsOf(line);
    if (forms.some((form) => form === wanted)) return 0;
    if (forms.some((form) => form.startsWith(wanted))) return 1;
    return line[1].includes(wanted) ? 2 : 4;
  };
  const found: [rank: number, choice: Choice][] = [];
  const ranks = new Map(provinces.map((line) => [line[0].slice(0, 2), rank(line)]));
  for (const [code] of provinces) {
    const own = ranks.get(code.slice(0, 2)) ?? 4;
    const name = placeName(code, locale);
    if (whole && own < 2 && citiesOf(code).length > 1)
      found.push([own - 0.5, { value: code, label: pick(locale, `${name}（全部）`, `All of ${name}`) }]);
  }
  for (const line of cities) {
    const own = rank(line);
    const best = own < 4 ? own : (ranks.get(line[0].slice(0, 2)) ?? 4) < 2 ? 3 : 4;
    if (best < 4) found.push([best, { value: line[0], label: placeName(line[0], locale) }]);
  }
  return found.sort(([one], [other]) => one - other).map(([, choice]) => choice);
}

function formsOf([code, name, english, pinyin]: Line): string[] {
  const syllables = pinyin.split(" ");
  return [code, name, plain(english), syllables.join(""), syllables.map((syllable) => syllable[0]).join("")];
}

/** Without blanks, marks, apostrophes and capitals: `Xi'an` is `xian`. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\s'\u2019]|\p{Mn}/gu, "")
    .toLowerCase();
}

const pick = (locale: Locale, chinese: string, english: string) => (locale === "zh-CN" ? chinese : english);
