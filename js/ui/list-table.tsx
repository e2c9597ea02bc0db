/**
 * The table of a list: sticky head and first column, sort as links, selection and
 * row actions where they are given. Markup is kept lean on purpose: this is what
 * the server renders most of.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";

import { count, money } from "../lib/format";
import { useT } from "../lib/i18n";
import { type ListQuery, listSearch, type Order } from "../lib/list-query";
import { cellClass, type Field, showField } from "./field";
import { Icon } from "./icon";
import type { Density } from "./list-choice";

/** Rows picked by id, and how to pick others. */
export interface Selection {
  ids: ReadonlySet<number>;
  set: (ids: ReadonlySet<number>) => void;
}

interface ListTableProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  rows: readonly Row[];
  /** All matching rows together; absent: the foot adds up the page. */
  totals?: Row;
  fields: readonly Field<Row>[];
  /** The address of a record's page: the first cell is a link to it. */
  href?: (row: Row) => string;
  /** A key for each row, if ids are not unique. */
  rowKey?: ((row: Row) => string) | undefined;
  query: ListQuery;
  pathname: string;
  density: Density;
  /** Another page is being loaded. */
  loading: boolean;
  selection?: Selection;
  /** The buttons at the end of a row. */
  actions?: (row: Row) => ReactNode;
}

/** A text of at most so many characters, of any width, fits into a short cell. */
const SHORT = 11;

export function ListTable<Row extends { id: number }>(props: ListTableProps<Row>) {
  const { label, rows, totals, fields, href, rowKey, query, pathname, density, loading, selection, actions } = props;
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  // Runs before the layout effect of the shell, which restores the scroll position of a tab.
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [query]);

  useEffect(() => showHidden(scroller.current), [rows, fields, density]);

  const classes = fields.map(cellClass);
  const [first, ...others] = fields;
  const cells = (row: Row) =>
    others.map((field, i) => {
      const shown = showField(field, row, t);
      // A cell that may be cut shows its full text on hover.
      const title = field.short && typeof shown === "string" && shown.length > SHORT ? shown : undefined;
      return (
        <td key={field.key} className={classes[i + 1]} title={title}>
          {shown}
        </td>
      );
    });

  return (
    <div ref={scroller} className="ll-table-box" role="group" aria-label={label} tabIndex={0}>
      <table
        ref={nameCells}
        className={`ll-table ll-cards ll-${density}${loading ? " ll-loading" : ""}`}
        aria-label={label}
        aria-busy={loading || undefined}
        {...cellNames(
          others.map(({ title }) => t(title)),
          selection ? 3 : 2,
        )}
      >
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="ll-pick">
                <PickAll rows={rows} selection={selection} />
              </th>
            )}
            {fields.map((field, i) => (
              <HeadCell key={field.key} field={field} className={classes[i]} query={query} pathname={pathname} />
            ))}
            {actions && (
              <th scope="col" className="ll-acts">
                {t("ui.actions")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey ? rowKey(row) : row.id} className={selection?.ids.has(row.id) ? "ll-picked" : undefined}>
              {selection && (
                <td className="ll-pick">
                  <input
                    type="checkbox"
                    aria-label={t("ui.pick", { name: first ? String(row[first.key]) : row.id })}
                    checked={selection.ids.has(row.id)}
                    onChange={() => selection.set(toggled(selection.ids, row.id))}
                  />
                </td>
              )}
              {first && (
                <th scope="row" className={classes[0]}>
                  {href ? <a href={href(row)}>{showField(first, row, t)}</a> : showField(first, row, t)}
                </th>
              )}
              {cells(row)}
              {actions && <td className="ll-acts">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
        {fields.some((field) => field.total) && (
          <tfoot>
            <tr>
              {selection && <td className="ll-pick" />}
              <th scope="row">{t(totals ? "ui.allTotal" : "ui.pageTotal")}</th>
              {others.map((field, i) => (
                <td key={field.key} className={classes[i + 1]}>
                  {field.total && (totals ? showField(field, totals, t) : totalOf(field, rows))}
                </td>
              ))}
              {actions && <td className="ll-acts" />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/**
 * The names of a card's cells, once for the table: `data-3` is that of each row's third cell. The style sheet puts them
 * before the values on a narrow screen, where a row is a card.
 */
function cellNames(titles: readonly string[], first: number): Readonly<Record<`data-${number}`, string>> {
  return Object.fromEntries(titles.map((title, i) => [`data-${first + i}`, title]));
}

/** Sets the names as custom properties if the style sheet cannot read them from attributes. */
function nameCells(table: HTMLTableElement | null) {
  if (!table || CSS.supports("width", "attr(data-2 px)")) return;
  for (const [name, title] of Object.entries(table.dataset)) table.style.setProperty(`--name-${name}`, JSON.stringify(title));
}

/** Marks the sides of a box with hidden columns, now and when it is scrolled: frozen columns have a shadow there. */
function showHidden(box: HTMLElement | null) {
  if (!box) return;
  const mark = () => {
    box.classList.toggle("ll-hides-left", box.scrollLeft > 0);
    box.classList.toggle("ll-hides-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  };
  const resize = new ResizeObserver(mark);
  resize.observe(box);
  box.addEventListener("scroll", mark, { passive: true });
  mark();
  return () => {
    resize.disconnect();
    box.removeEventListener("scroll", mark);
  };
}

function totalOf<Row>({ key, kind }: Field<Row>, rows: readonly Row[]): string {
  const sum = rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0);
  return kind === "money" ? money(sum) : count(sum);
}

interface HeadCellProps<Row> {
  field: Field<Row>;
  className: string | undefined;
  query: ListQuery;
  pathname: string;
}

/** A column's head; one that sorts is a link: ascending, descending, then the list's own order. */
function HeadCell<Row>({ field, className, query, pathname }: HeadCellProps<Row>) {
  const t = useT();
  const title = t(field.title);
  if (!field.sort) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  }
  const order = query.sort === field.key ? (query.order ?? "desc") : null;
  const next: Order | null = order === null ? "asc" : order === "asc" ? "desc" : null;
  const href = pathname + listSearch(query, { sort: next && field.key, order: next });
  return (
    <th scope="col" className={className} aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}>
      <a href={href} className={order ? "ll-sort ll-sorted" : "ll-sort"}>
        {title}
        <Icon name={order === "asc" ? "sort-up" : "sort-down"} />
      </a>
    </th>
  );
}

/** The set with `id` put in or, when it is there, taken out. */
function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function PickAll({ rows, selection }: { rows: readonly { id: number }[]; selection: Selection }) {
  const t = useT();
  const box = useRef<HTMLInputElement>(null);
  const picked = rows.filter(({ id }) => selection.ids.has(id)).length;
  const all = picked > 0 && picked === rows.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = picked > 0 && !all;
  }, [picked, all]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t("ui.pickAll")}
      checked={all}
      onChange={() => selection.set(new Set(all ? [] : rows.map(({ id }) => id)))}
    />
  );
}
