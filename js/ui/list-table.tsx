/**
 * The table of a list: sticky head and first column, sort as links, selection and
 * row actions where they are given. Head and rows are HTML that React does not manage:
 * they are what the server renders most of.
 */
import { type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";

import { count, money } from "../lib/format";
import { escapeHtml } from "../lib/html";
import { type Translate, useT } from "../lib/i18n";
import { type ListQuery, listSearch, type Order } from "../lib/list-query";
import { usePoints } from "../lib/permissions";
import { cellClass, type Field, fieldHtml, showField } from "./field";
import type { Density } from "./list-choice";
import { announceMenus, buttonsHtml, type RowButtons } from "./row-actions";
import { TextItems, TextRegion } from "./text-region";

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
  /** The buttons at the end of each row. */
  actions?: RowButtons<Row> | undefined;
}

/** A text of at most so many characters, of any width, fits into a short cell. */
const SHORT = 11;

export function ListTable<Row extends { id: number }>(props: ListTableProps<Row>) {
  const { label, rows, totals, fields, href, rowKey, query, pathname, density, loading, selection, actions } = props;
  const t = useT();
  const held = usePoints();
  const scroller = useRef<HTMLDivElement>(null);
  // Runs before the layout effect of the shell, which restores the scroll position of a tab.
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [query]);

  useEffect(() => showHidden(scroller.current), [rows, fields, density]);

  const classes = fields.map((field) => classAttribute(cellClass(field)));
  const [first, ...others] = fields;
  const links = others.map(({ link }) => (link && held.has(link.point) ? link : undefined));
  const keyOf = (row: Row) => rowKey?.(row) ?? String(row.id);
  // Without the end tags of rows and cells and the quotes of plain words: HTML does not need them, and a list has hundreds.
  const rowHtml = (row: Row) => {
    let html = "<tr>";
    if (selection) html += `<td class=ll-pick>${pickHtml(t("ui.pickRow"))}`;
    if (first) {
      const inside = fieldHtml(first, row, t);
      html += `<th scope=row${classes[0]}>${href ? `<a href="${escapeHtml(href(row))}">${inside}</a>` : inside}`;
    }
    others.forEach((field, i) => {
      const inside = fieldHtml(field, row, t);
      // A cell that may be cut shows its full text on hover.
      const title = field.short && inside.length > SHORT && !inside.includes("<") ? ` title="${inside}"` : "";
      const link = links[i];
      const id = link && row[link.id];
      html += `<td${classes[i + 1]}${title}>${link && id !== null ? `<a href="${link.page}${String(id)}">${inside}</a>` : inside}`;
    });
    if (actions) html += `<td class=ll-acts>${buttonsHtml(actions.of(row))}`;
    return html;
  };
  const items = rows.map((row) => ({ key: keyOf(row), html: rowHtml(row) }));
  const heads = fields.map((field, i) => headHtml(field, classes[i]!, query, pathname, t)).join("");
  const pickAll = selection ? `<th scope=col class=ll-pick>${pickHtml(t("ui.pickAll"))}</th>` : "";
  const actionsHead = actions ? `<th scope=col class=ll-acts>${escapeHtml(t("ui.actions"))}</th>` : "";
  const head = useRef<HTMLElement>(null);
  const body = useRef<HTMLElement>(null);
  // After the effects of the regions, which may have changed the boxes.
  useLayoutEffect(() => {
    if (selection) {
      showPicked(head.current!, body.current!, rows, selection.ids);
      nameBoxes(body.current!, (i) => t("ui.pick", { name: first ? String(rows[i]![first.key]) : rows[i]!.id }));
    }
    if (actions) announceMenus(body.current!);
  });

  const pickAllOrNone = ({ target }: MouseEvent<HTMLElement>) => {
    if (selection && isPick(target)) selection.set(new Set(target.checked ? rows.map(({ id }) => id) : []));
  };
  const runInRow = ({ target }: MouseEvent<HTMLElement>) => {
    const line = (target as Element).closest("tr");
    const row = line && rows[line.sectionRowIndex];
    if (!row) return;
    if (selection && isPick(target)) return selection.set(toggled(selection.ids, row.id));
    const button = (target as Element).closest<HTMLButtonElement>(".ll-acts > button");
    if (button) actions?.run(row, button.value, button);
  };

  return (
    <div ref={scroller} className="ll-table-box" role="group" aria-label={label} tabIndex={0}>
      <table
        ref={nameCells}
        className={`ll-table ll-cards ll-${density}${loading ? " ll-loading" : ""}`}
        aria-label={label}
        aria-busy={loading || undefined}
        data-opens={actions?.opens}
        {...cellNames(
          others.map(({ title }) => t(title)),
          selection ? 3 : 2,
        )}
      >
        <TextRegion as="thead" region={head} html={`<tr>${pickAll}${heads}${actionsHead}</tr>`} onClick={pickAllOrNone} />
        <TextItems as="tbody" region={body} items={items} onClick={runInRow} />
        {fields.some((field) => field.total) && (
          <tfoot>
            <tr>
              {selection && <td className="ll-pick" />}
              <th scope="row">{t(totals ? "ui.allTotal" : "ui.pageTotal")}</th>
              {others.map((field) => (
                <td key={field.key} className={cellClass(field)}>
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

/** A column's head; one that sorts is a link: ascending, descending, then the list's own order. The style sheet adds the arrow. */
function headHtml<Row>(field: Field<Row>, classText: string, query: ListQuery, pathname: string, t: Translate): string {
  const title = escapeHtml(t(field.title));
  if (!field.sort) return `<th scope=col${classText}>${title}</th>`;
  const order = query.sort === field.key ? (query.order ?? "desc") : null;
  const next: Order | null = order === null ? "asc" : order === "asc" ? "desc" : null;
  const href = escapeHtml(pathname + listSearch(query, { sort: next && field.key, order: next }));
  const sorted = order === null ? "" : ` aria-sort="${order === "asc" ? "ascending" : "descending"}"`;
  return `<th scope=col${classText}${sorted}><a href="${href}" class=${order ? '"ll-sort ll-sorted"' : "ll-sort"}>${title}</a></th>`;
}

const classAttribute = (name: string | undefined) => (name ? ` class=${name}` : "");

/** A box that picks a row, or all. */
const pickHtml = (label: string) => `<input type=checkbox aria-label="${escapeHtml(label)}">`;

const isPick = (target: EventTarget): target is HTMLInputElement => target instanceof HTMLInputElement && target.type === "checkbox";

/** Ticks the boxes of the picked rows, and that of the head if all are picked. */
function showPicked(head: HTMLElement, body: HTMLElement, rows: readonly { id: number }[], ids: ReadonlySet<number>): void {
  let picked = 0;
  rows.forEach(({ id }, i) => {
    const line = body.children[i]!;
    const isPicked = ids.has(id);
    if (isPicked) picked++;
    line.classList.toggle("ll-picked", isPicked);
    line.querySelector<HTMLInputElement>(".ll-pick input")!.checked = isPicked;
  });
  const all = head.querySelector<HTMLInputElement>(".ll-pick input")!;
  all.checked = picked > 0 && picked === rows.length;
  all.indeterminate = picked > 0 && !all.checked;
}

/** Says which row each box picks. It is not in the HTML of the server: without scripts a box does nothing. */
function nameBoxes(body: HTMLElement, name: (row: number) => string): void {
  body.querySelectorAll<HTMLInputElement>(".ll-pick input").forEach((box, i) => (box.ariaLabel = name(i)));
}

/** The set with `id` put in or, when it is there, taken out. */
function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
