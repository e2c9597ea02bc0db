/** The actions of a record, in the rows of its list and on its own page: what they are, and what they work with. */
import { type ReactNode, useMemo } from "react";

import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { usePoints } from "../lib/permissions";
import { useReload } from "../lib/props";
import { notify } from "../lib/toast";
import type { Viewer } from "../lib/types";
import { useNavigate } from "../lib/visit";
import { type Act, useAct } from "./act";
import type { IconName } from "./icon";
import { confirm, type Open, type Question, useOverlay } from "./overlay";

/** What an action works with. */
export interface List {
  t: Translate;
  open: Open;
  confirm: (question: Question) => Promise<boolean>;
  /** Shows the message `done` and loads the rows or the record again. */
  reload: (done?: MessageKey) => Promise<void>;
  /** After the record was deleted: shows the message `done` and the list without the record. */
  removed: (done: MessageKey) => Promise<void>;
  /** Opens another page of the application; `kept` stays with its entry of the history. */
  go: (address: string, kept?: object) => Promise<void>;
  /** Whether the viewer holds a point: of this list ("update"), or a whole one ("admin/test/check"). */
  can: (point: string) => boolean;
}

interface Action {
  label: MessageKey;
  /** The permission point it needs, within the list's ("update") or whole ("admin/test/check"). Without the point, the action is not in the HTML. */
  point: string;
  danger?: boolean;
}

/** Something to do with one record. In a row the first two that apply are buttons, the rest is in a menu. */
export interface RowAction<Row> extends Action {
  /** Whether it applies to this record; absent: always. */
  when?: (row: Row, viewer: Viewer) => boolean;
  /** On the record's own page: the key that runs it. */
  shortcut?: string;
  run: (row: Row, list: List) => Promise<unknown>;
}

/** Something to do with all picked rows at once. */
export interface BatchAction<Row> extends Action {
  icon?: IconName;
  run: (rows: readonly Row[], list: List) => Promise<unknown>;
}

/**
 * What the actions of a page work with, the function that runs one, and the overlays, to be put into the page's markup.
 * `points` is the prefix of the permission points, `listAddress` the list to open after a record was deleted; absent: the
 * page is the list.
 */
export function useActions(points: string, listAddress?: string): [list: List, act: Act, overlays: ReactNode] {
  const t = useT();
  const held = usePoints();
  const runLoads = useReload();
  const navigate = useNavigate();
  const [overlays, openOver] = useOverlay();
  const [act, open] = useAct(runLoads, openOver);
  const list = useMemo<List>(() => {
    const reload = async (done?: MessageKey) => {
      if (done) notify("success", t(done));
      await runLoads();
    };
    return {
      t,
      open,
      reload,
      removed: async (done) => {
        if (listAddress === undefined) return reload(done);
        notify("success", t(done));
        await navigate(listAddress);
      },
      confirm: (question) => confirm(open, question),
      // As a link does, so that the page leads back here.
      go: async (address, kept) => navigate(address, { state: { from: location.pathname + location.search, ...kept } }),
      can: (point) => held.has(point.includes("/") ? point : `${points}/${point}`),
    };
  }, [t, open, runLoads, navigate, held, points, listAddress]);
  return [list, act, overlays];
}

/** Opens the menu of the actions that have no button, and has `act` run the chosen one; the button of the menu is busy meanwhile. */
export async function openActionMenu<Row>(anchor: HTMLElement, actions: readonly RowAction<Row>[], row: Row, list: List, act: Act) {
  const { ActionMenu } = await import("./menu");
  const items = actions.map(({ label, danger }) => ({ value: label, label: list.t(label), danger }));
  const chosen = await list.open<string>((overlay) => <ActionMenu overlay={overlay} anchor={anchor} items={items} />);
  // The menu disappears; a dialog that the action opens must give the focus back to the button of the menu.
  anchor.focus();
  const action = actions.find(({ label }) => label === chosen);
  if (action) act(`${action.label} in a menu`, () => action.run(row, list), anchor);
}
