/** The picker of cities: one, or many and whole provinces at once. Forms have it as fields, lists as a filter, rules as an input. */
import { localeOf, type Translate, useLocale, useT } from "../lib/i18n";
import { citiesOf, cityChoices, findPlaces, placeText, UNKNOWN_CITY } from "../lib/places";
import type { FieldFrame, FormField } from "./form";
import type { LocalChoices } from "./list-filter";
import { SearchSelect } from "./search-select";
import { SeveralSelect } from "./several-select";

/** Whole provinces stand for their cities. */
const expand = (value: string) => (value.endsWith("0000") && citiesOf(value).length > 1 ? citiesOf(value) : [value]);

/** A field of one city. */
export function cityField(t: Translate, frame: FieldFrame): FormField {
  const locale = localeOf(t);
  return {
    ...frame,
    kind: "select",
    choices: cityChoices(locale),
    search: (keyword) => findPlaces(keyword, locale),
    ...(!frame.required && { empty: "ui.rule.choose" as const }),
  };
}

/** A field of many cities. */
export function citiesField(t: Translate, frame: FieldFrame): FormField {
  const locale = localeOf(t);
  return { ...frame, kind: "several", choices: cityChoices(locale), search: (keyword) => findPlaces(keyword, locale, true), expand };
}

/** The choices of a filter by one city. */
export const cityFilter: LocalChoices = {
  choices: (t) => cityChoices(localeOf(t)),
  search: (keyword, t) => findPlaces(keyword, localeOf(t)),
};

/** The same, with a choice for cities that are not in the table. */
export const cityFilterWithUnknown: LocalChoices = {
  choices: (t) => [unknown(t), ...cityChoices(localeOf(t))],
  search: (keyword, t) => [
    ...findPlaces(keyword, localeOf(t)),
    ...[unknown(t)].filter(({ label }) => label.toLowerCase().includes(keyword.toLowerCase())),
  ],
};

const unknown = (t: Translate) => ({ value: UNKNOWN_CITY, label: localeOf(t) === "zh-CN" ? "未识别的城市" : "Not recognised" });

interface PlaceSelectProps {
  label: string;
  chosen: readonly string[];
  many: boolean;
  fixed: boolean | undefined;
  onChange: (chosen: string[]) => void;
}

/** The picker outside of a form's fields. */
export function PlaceSelect({ label, chosen, many, fixed, onChange }: PlaceSelectProps) {
  const t = useT();
  const locale = useLocale();
  if (fixed) return <span aria-label={label}>{placeText(chosen, t)}</span>;
  const shared = {
    className: "ll-input",
    label,
    choices: cityChoices(locale),
    search: (keyword: string) => findPlaces(keyword, locale, many),
  };
  if (many) {
    return (
      <span className="ll-rule-places">
        <SeveralSelect {...shared} chosen={chosen} expand={expand} onChange={onChange} />
      </span>
    );
  }
  return <SearchSelect {...shared} value={chosen[0] ?? ""} onChange={(value) => onChange(value === "" ? [] : [value])} />;
}
