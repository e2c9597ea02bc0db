/** The buttons at the end of a row of a table: the first actions that apply to its record, and a menu of the others. */
import type { ReactNode } from "react";

import type { Viewer } from "../lib/types";
import type { Act } from "./act";
import { type List, openActionMenu, type RowAction } from "./actions";

/** Actions that are buttons in their row; the others are in its menu. */
const INLINE_ACTIONS = 2;

/** Draws the buttons of a row; undefined when the viewer may do none of the actions. */
export function rowActions<Row extends { id: number }>(
  actions: readonly RowAction<Row>[],
  viewer: Viewer,
  list: List,
  act: Act,
): ((row: Row) => ReactNode) | undefined {
  const allowed = actions.filter(({ point }) => list.can(point));
  if (allowed.length === 0) return undefined;
  return (row) =>
    buttons(
      allowed.filter(({ when }) => !when || when(row, viewer)),
      row,
      list,
      act,
    );
}

/** Bare buttons: a page has some sixty of them. */
function buttons<Row extends { id: number }>(actions: readonly RowAction<Row>[], row: Row, list: List, act: Act): ReactNode {
  const { t } = list;
  const inline = actions.slice(0, INLINE_ACTIONS);
  const rest = actions.slice(INLINE_ACTIONS);
  return (
    <>
      {inline.map(({ label, danger, run }) => (
        <button
          key={label}
          className={danger ? "ll-act-danger" : undefined}
          onClick={() => act(`${label} ${row.id}`, () => run(row, list))}
        >
          {t(label)}
        </button>
      ))}
      {rest.length > 0 && (
        <button
          aria-haspopup="menu"
          onClick={({ currentTarget }) => act(`more ${row.id}`, () => openActionMenu(currentTarget, rest, row, list))}
        >
          {t("ui.more")}
        </button>
      )}
    </>
  );
}
