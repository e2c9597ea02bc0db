/**
 * The filter bar: a real GET form whose fields are the address, so that it works
 * before and without JavaScript (with it, the shell navigates instead). The first filters are always there, the
 * rest unfolds and starts unfolded when one of them is set. On narrow screens the form is a popover behind one button,
 * which the browser opens and closes by itself.
 */
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { useNamedFilter } from "../lib/filter-name";
import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { DEFAULT_PAGE_SIZE, type ListQuery } from "../lib/list-query";
import { useLoaded } from "../lib/props";
import { useLocation } from "../lib/visit";
import { closePopover } from "./popover";
import { Button, buttonClass } from "./button";
import { DaysFilter } from "./days-filter";
import { labelOf } from "./field";
import type { Choice, Search } from "./form";
import { Icon } from "./icon";
import { useOptions } from "./options";
import { SearchSelect } from "./search-select";

/**
 * Choices of a select: the codes of an enumeration, the answer of one of the page's loads, or a given list. With the
 * load's call as `search` ("/org/options"), the viewer can search among them by typing.
 */
type Choices =
  | { codes: readonly string[]; labels: string }
  | { load: string; search?: string | undefined }
  | { choices: readonly Choice[] }
  | { local: LocalChoices };

/** Choices that are all on the page, with a search. */
export interface LocalChoices {
  choices: (t: Translate) => readonly Choice[];
  search: (keyword: string, t: Translate) => readonly Choice[];
}

/** One filter; `name` is its name in the API. */
export type Filter =
  | { name: string; label: MessageKey; kind: "text"; placeholder?: MessageKey }
  | { name: string; label: MessageKey; kind: "select"; options: Choices }
  /** Two numbers, sent as `<name>Min` and `<name>Max`. */
  | { name: string; label: MessageKey; kind: "range" }
  /** One day. */
  | { name: string; label: MessageKey; kind: "day" }
  /** Two days, sent as `<name>From` and `<name>To`. */
  | { name: string; label: MessageKey; kind: "days" };

/** How many columns the first row has for filters. */
const FIRST_ROW = 3;
const FORM_ID = "filters";

interface ListFilterProps {
  filters: readonly Filter[];
  query: ListQuery;
  /** The address of the list. */
  pathname: string;
  /** The address of a reset, which may have a query; absent: `pathname`. */
  start?: string | undefined;
  /** Names of parameters of the address besides the filters, which a search keeps. */
  kept?: readonly string[] | undefined;
}

export function ListFilter({ filters, query, pathname, start = pathname, kept = [] }: ListFilterProps) {
  const t = useT();
  const form = useRef<HTMLFormElement>(null);
  const inFirstRow = firstRowOf(filters);
  const rest = filters.slice(inFirstRow);
  const unfolded = rest.some((filter) => isSet(filter, query));
  const here = useLocation();
  useNamedFilter(here.pathname + here.search, codeOf(filters, query, t));

  // The inputs are not controlled; when the address changes (reset, back), they are set from it.
  const setInputs = useEffectEvent(() => {
    for (const name of filters.flatMap(uncontrolled)) {
      const input = form.current?.elements.namedItem(name) as HTMLInputElement | null;
      if (input) input.value = query.filters[name] ?? "";
    }
  });
  useEffect(() => {
    setInputs();
    closePopover(FORM_ID);
  }, [query]);

  return (
    <Kept
      as="form"
      of={["filters", pathname, start, kept, query, filters]}
      ofAddress
      loads={loadsOf(filters)}
      ref={form}
      id={FORM_ID}
      className="ll-filters"
      popover="auto"
      method="get"
      action={pathname}
      role="search"
      autoComplete="off"
    >
      {() => (
        <>
          <div className="ll-filters-head">
            <h2>{t("ui.filters")}</h2>
            <Button
              look="text"
              icon="close"
              className="ll-btn-icon"
              popoverTarget={FORM_ID}
              popoverTargetAction="hide"
              aria-label={t("ui.close")}
            />
          </div>
          <KeptState query={query} />
          {kept.map((name) => query.filters[name] && <input key={name} type="hidden" name={name} value={query.filters[name]} />)}
          <div className="ll-filter-row">
            {filters.slice(0, inFirstRow).map((filter) => (
              <FilterInput key={filter.name} filter={filter} query={query} pathname={pathname} />
            ))}
            <div className="ll-filter-actions">
              <Button type="submit" look="primary" icon="search">
                {t("ui.search")}
              </Button>
              <a className={buttonClass()} href={start}>
                {t("ui.reset")}
              </a>
            </div>
          </div>
          {rest.length > 0 && (
            <details className="ll-filter-more" open={unfolded || undefined}>
              <summary className={buttonClass("text")}>
                {t("ui.moreFilters")}
                <Icon name="chevron-down" />
              </summary>
              <div className="ll-filter-row">
                {rest.map((filter) => (
                  <FilterInput key={filter.name} filter={filter} query={query} pathname={pathname} />
                ))}
              </div>
            </details>
          )}
        </>
      )}
    </Kept>
  );
}

/** How many filters fit into the first row; days take two of its columns. */
function firstRowOf(filters: readonly Filter[]): number {
  let columns = 0;
  const end = filters.findIndex(({ kind }) => (columns += kind === "days" ? 2 : 1) > FIRST_ROW);
  return end < 0 ? filters.length : end;
}

/** The names of the loads whose choices are in selects. */
function loadsOf(filters: readonly Filter[]): string[] {
  return filters.flatMap((filter) => (filter.kind === "select" && "load" in filter.options ? [filter.options.load] : []));
}

/** The label of the status that the address asks for, else of the first code that it asks for; "yes" and "no" say nothing alone. */
function codeOf(filters: readonly Filter[], { filters: values }: ListQuery, t: Translate): string | undefined {
  const labels = filters.flatMap((filter) => {
    const value = values[filter.name];
    if (filter.kind !== "select" || !("codes" in filter.options) || !value || /^(yes|no)$/.test(value)) return [];
    if (!filter.options.codes.includes(value)) return [];
    return [{ name: filter.name, label: labelOf(t, filter.options.labels, value) }];
  });
  return (labels.find(({ name }) => name === "status") ?? labels[0])?.label;
}

function isSet(filter: Filter, { filters }: ListQuery): boolean {
  return namesOf(filter).some((name) => filters[name]);
}

/** The toolbar's button on narrow screens: opens the filters, and shows how many are set. */
export function FilterButton({ filters, query }: Pick<ListFilterProps, "filters" | "query">) {
  const t = useT();
  const count = filters.filter((filter) => isSet(filter, query)).length;
  return (
    <button type="button" className={`${buttonClass()} ll-filters-open`} popoverTarget={FORM_ID}>
      <Icon name="filter" />
      {t("ui.filters")}
      {count > 0 && <span className="ll-count">{count}</span>}
    </button>
  );
}

/** Order and page size of the address, which a search keeps. */
function KeptState({ query: { sort, order, pageSize } }: { query: ListQuery }) {
  return (
    <>
      {sort && <input type="hidden" name="sort" value={sort} />}
      {sort && order && <input type="hidden" name="order" value={order} />}
      {pageSize !== DEFAULT_PAGE_SIZE && <input type="hidden" name="pageSize" value={pageSize} />}
    </>
  );
}

function FilterInput({ filter, query, pathname }: { filter: Filter; query: ListQuery; pathname: string }) {
  const t = useT();
  const label = t(filter.label);
  if (filter.kind === "days") return <DaysFilter name={filter.name} label={label} query={query} pathname={pathname} />;
  const values = query.filters;
  if (filter.kind === "range") return <RangeFilter name={filter.name} label={label} values={values} />;
  if (filter.kind === "select")
    return <SelectFilter name={filter.name} label={label} of={filter.options} value={values[filter.name] ?? ""} />;
  return (
    <label className="ll-filter">
      <span>{label}</span>
      {filter.kind === "day" ? (
        <input name={filter.name} defaultValue={values[filter.name]} placeholder="YYYY-MM-DD" />
      ) : (
        <input
          name={filter.name}
          defaultValue={values[filter.name]}
          placeholder={filter.placeholder && t(filter.placeholder)}
          maxLength={100}
        />
      )}
    </label>
  );
}

/** The least and the most of a number. */
function RangeFilter({ name, label, values }: { name: string; label: string; values: Readonly<Record<string, string>> }) {
  const t = useT();
  const input = (name: string, label: string) => <input name={name} defaultValue={values[name]} aria-label={label} inputMode="decimal" />;
  return (
    <div className="ll-filter ll-filter-range" role="group" aria-label={label}>
      <span>{label}</span>
      {input(`${name}Min`, t("ui.from", { label }))}
      <i aria-hidden="true">–</i>
      {input(`${name}Max`, t("ui.to", { label }))}
    </div>
  );
}

/** The name of a filter, its label, and its value. */
interface ValueOf {
  name: string;
  label: string;
  value: string;
}

function SelectFilter({ of, ...filter }: ValueOf & { of: Choices }) {
  const t = useT();
  if ("local" in of) {
    const { choices, search } = of.local;
    return <ChosenFilter {...filter} choices={choices(t)} search={(keyword) => search(keyword, t)} />;
  }
  if ("load" in of) {
    return of.search === undefined ? (
      <LoadedSelect {...filter} load={of.load} />
    ) : (
      <SearchFilter {...filter} load={of.load} search={of.search} />
    );
  }
  const choices = "choices" in of ? of.choices : of.codes.map((code) => ({ value: code, label: labelOf(t, of.labels, code) }));
  return <PlainSelect {...filter} choices={choices} />;
}

/** One of many choices, with a search. */
function SearchFilter({ load, ...filter }: ValueOf & { load: string; search: string }) {
  return <ChosenFilter {...filter} choices={useLoaded<Choice[]>(load) ?? []} />;
}

/** The same with its choices. */
function ChosenFilter({ name, label, choices, search, value }: ValueOf & { choices: readonly Choice[]; search: Search }) {
  const t = useT();
  const [chosen, setChosen] = useState(value);
  // It is set from the address, as the inputs are.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setChosen(value);
  }
  return (
    <div className="ll-filter">
      <span aria-hidden="true">{label}</span>
      <SearchSelect name={name} label={label} value={chosen} choices={choices} search={search} empty={t("ui.all")} onChange={setChosen} />
    </div>
  );
}

/** A filter of few choices. */
function PlainSelect({ name, label, choices, value }: ValueOf & { choices: readonly Choice[] }) {
  const t = useT();
  const select = useRef<HTMLSelectElement>(null);
  const options = useOptions([{ value: "", label: t("ui.all") }, ...choices], value, select);
  return (
    <label className="ll-filter">
      <span>{label}</span>
      <select ref={select} name={name} {...options} />
    </label>
  );
}

/** The same for the choices that one of the page's loads brought; none when it failed. */
function LoadedSelect({ load, ...filter }: ValueOf & { load: string }) {
  return <PlainSelect {...filter} choices={useLoaded<Choice[]>(load) ?? []} />;
}

/** The inputs of a filter whose values are not kept in a state. */
function uncontrolled(filter: Filter): string[] {
  const hasState =
    filter.kind === "select" && ("local" in filter.options || ("load" in filter.options && filter.options.search !== undefined));
  return hasState ? [] : namesOf(filter);
}

function namesOf({ name, kind }: Filter): string[] {
  if (kind === "days") return [`${name}From`, `${name}To`];
  return kind === "range" ? [`${name}Min`, `${name}Max`] : [name];
}
