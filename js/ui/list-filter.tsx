/**
 * The filter bar: a real GET form whose fields are the address, so that it works
 * before and without JavaScript (with it, the shell navigates instead). The first three filters are always there, the
 * rest unfolds and starts unfolded when one of them is set.
 */
import { useEffect, useRef } from "react";

import { type MessageKey, useT } from "../lib/i18n";
import { DEFAULT_PAGE_SIZE, type ListQuery } from "../lib/list-query";
import { usePageData } from "../lib/props";
import { Button, buttonClass } from "./button";
import { labelOf } from "./field";
import type { Choice } from "./form";
import { Icon } from "./icon";

/** Choices of a select: the codes of an enumeration, what one of the page's loads brought, or those given. */
type Choices = { codes: readonly string[]; labels: string } | { load: string } | { choices: readonly Choice[] };

/** One filter; `name` is what the API calls it. */
export type Filter =
  | { name: string; label: MessageKey; kind: "text"; placeholder?: MessageKey }
  | { name: string; label: MessageKey; kind: "select"; options: Choices }
  /** Two days, sent as `<name>From` and `<name>To`. */
  | { name: string; label: MessageKey; kind: "days" };

/** How many filters stay on the first row. */
const FIRST_ROW = 3;

interface ListFilterProps {
  filters: readonly Filter[];
  query: ListQuery;
  /** Where a reset leads, which may have a query. */
  pathname: string;
  /** Names of what the address says besides the filters, for a search to keep. */
  kept?: readonly string[];
}

export function ListFilter({ filters, query, pathname, kept = [] }: ListFilterProps) {
  const t = useT();
  const form = useRef<HTMLFormElement>(null);
  const rest = filters.slice(FIRST_ROW);
  const unfolded = rest.some((filter) => namesOf(filter).some((name) => query.filters[name]));

  // The inputs keep themselves; when the address changes under them (reset, back), they follow it.
  useEffect(() => {
    for (const input of form.current?.querySelectorAll<HTMLInputElement>("[data-filter]") ?? []) {
      input.value = query.filters[input.name] ?? "";
    }
  }, [query]);

  return (
    <form ref={form} className="ll-filters" method="get" action={pathname} role="search">
      <KeptState query={query} />
      {kept.map((name) => query.filters[name] && <input key={name} type="hidden" name={name} value={query.filters[name]} />)}
      <div className="ll-filter-row">
        {filters.slice(0, FIRST_ROW).map((filter) => (
          <FilterInput key={filter.name} filter={filter} values={query.filters} />
        ))}
        <div className="ll-filter-actions">
          <Button type="submit" look="primary" icon="search">
            {t("ui.search")}
          </Button>
          <a className={buttonClass()} href={pathname}>
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
              <FilterInput key={filter.name} filter={filter} values={query.filters} />
            ))}
          </div>
        </details>
      )}
    </form>
  );
}

/** What the address holds besides the filters and the page: a search keeps it. */
function KeptState({ query: { sort, order, pageSize } }: { query: ListQuery }) {
  return (
    <>
      {sort && <input type="hidden" name="sort" value={sort} />}
      {sort && order && <input type="hidden" name="order" value={order} />}
      {pageSize !== DEFAULT_PAGE_SIZE && <input type="hidden" name="pageSize" value={pageSize} />}
    </>
  );
}

function FilterInput({ filter, values }: { filter: Filter; values: ListQuery["filters"] }) {
  const t = useT();
  const label = t(filter.label);
  if (filter.kind === "days") {
    const [from, to] = namesOf(filter) as [string, string];
    return (
      <div className="ll-filter ll-filter-days" role="group" aria-label={label}>
        <span>{label}</span>
        <input type="date" name={from} data-filter="" defaultValue={values[from]} aria-label={t("ui.from", { label })} />
        <i aria-hidden="true">–</i>
        <input type="date" name={to} data-filter="" defaultValue={values[to]} aria-label={t("ui.to", { label })} />
      </div>
    );
  }
  return (
    <label className="ll-filter">
      <span>{label}</span>
      {filter.kind === "text" ? (
        <input
          name={filter.name}
          data-filter=""
          defaultValue={values[filter.name]}
          placeholder={filter.placeholder && t(filter.placeholder)}
          maxLength={100}
          autoComplete="off"
        />
      ) : (
        <select name={filter.name} data-filter="" defaultValue={values[filter.name] ?? ""}>
          <option value="">{t("ui.all")}</option>
          <Options of={filter.options} />
        </select>
      )}
    </label>
  );
}

function Options({ of }: { of: Choices }) {
  const t = useT();
  if ("load" in of) return <LoadedOptions load={of.load} />;
  const choices = "choices" in of ? of.choices : of.codes.map((code) => ({ value: code, label: labelOf(t, of.labels, code) }));
  return choices.map(option);
}

/** The choices that one of the page's loads brought; none when it failed. */
function LoadedOptions({ load }: { load: string }) {
  const { data } = usePageData<Choice[] | null>(load);
  return data?.map(option);
}

function option({ value, label }: Choice) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}

function namesOf({ name, kind }: Filter): string[] {
  return kind === "days" ? [`${name}From`, `${name}To`] : [name];
}
