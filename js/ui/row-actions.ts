/** The buttons at the end of a row of a table: the first actions that apply to its record, and a menu of the others. */
import { escapeHtml } from "../lib/html";
import type { Viewer } from "../lib/types";
import type { Act } from "./act";
import { type List, openActionMenu, type RowAction } from "./actions";

/** What a button at the end of a row says; with an address it is a link, which saves a file of the given name. */
export interface RowButton {
  /** Identifies it among the buttons of its row. */
  name: string;
  label: string;
  danger?: boolean | undefined;
  href?: string;
  download?: string;
}

/** The buttons of a table's rows. */
export interface RowButtons<Row> {
  /** Those of a row, in their order. */
  of: (row: Row) => readonly RowButton[];
  /** The name of the button that shows the record. */
  opens?: string | undefined;
  /** Runs the button of a name. */
  run: (row: Row, name: string, button: HTMLButtonElement) => void;
}

/** Actions that are buttons in their row; the others are in its menu. */
const INLINE_ACTIONS = 2;

/** The name of the button that opens the menu. */
const MORE = "more";

/** The buttons of a record's actions; undefined when the viewer may do none of them. */
export function rowActions<Row extends { id: number }>(
  actions: readonly RowAction<Row>[],
  viewer: Viewer,
  list: List,
  act: Act,
): RowButtons<Row> | undefined {
  const { t } = list;
  const allowed = actions.filter(({ point }) => list.can(point));
  if (allowed.length === 0) return undefined;
  const buttons: readonly RowButton[] = allowed.map(({ label, danger }, index) => ({ name: String(index), label: t(label), danger }));
  const more: RowButton = { name: MORE, label: t("ui.more") };
  const view = allowed.findIndex(({ label }) => label.endsWith(".view"));
  const applies = ({ when }: RowAction<Row>, row: Row) => !when || when(row, viewer);
  return {
    opens: buttons[view]?.name,
    of(row) {
      const applying = buttons.filter((_, index) => applies(allowed[index]!, row));
      return applying.length > INLINE_ACTIONS ? [...applying.slice(0, INLINE_ACTIONS), more] : applying;
    },
    run(row, name, button) {
      if (name === MORE) {
        const shown = Array.from(button.parentElement!.querySelectorAll("button"), ({ value }) => value);
        const rest = allowed.filter((action, index) => applies(action, row) && !shown.includes(String(index)));
        return act(`more ${row.id}`, () => openActionMenu(button, rest, row, list, act));
      }
      const action = allowed[Number(name)];
      if (action) act(`${action.label} ${row.id}`, () => action.run(row, list));
    },
  };
}

/** Says of the buttons that open the menu that they do so. It is not in the HTML of the server: without scripts there is no menu. */
export function announceMenus(rows: HTMLElement): void {
  for (const button of rows.querySelectorAll<HTMLButtonElement>(`button[value="${MORE}"]`)) button.ariaHasPopup = "menu";
}

/** The buttons of a row as HTML. */
export function buttonsHtml(buttons: readonly RowButton[]): string {
  let html = "";
  for (const { name, label, danger, href, download } of buttons) {
    if (href !== undefined) {
      html += `<a class=ll-link href="${escapeHtml(href)}" download="${escapeHtml(download ?? "")}">${escapeHtml(label)}</a>`;
    } else {
      html += `<button value=${name}${danger ? " class=ll-act-danger" : ""}>${escapeHtml(label)}</button>`;
    }
  }
  return html;
}
