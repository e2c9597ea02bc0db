/**
 * The page of a list: title, filters, toolbar, table, pages, and every state in
 * between. A screen gives its definitions and its actions; see js/pages/channel
 * for one written on it.
 */
import { type ReactNode, useMemo, useState } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";

import type { Page } from "../lib/api-types";
import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { listSearch, useListQuery } from "../lib/list-query";
import { usePoints } from "../lib/permissions";
import { usePageData, useReload, useViewer } from "../lib/props";
import { notify } from "../lib/toast";
import type { Viewer } from "../lib/types";
import { type Act, useAct } from "./act";
import { Button, buttonClass, IconButton } from "./button";
import type { Field } from "./field";
import { Icon, type IconName } from "./icon";
import { DENSITIES, type ListChoice, shownFields, useListChoice } from "./list-choice";
import { type Filter, ListFilter } from "./list-filter";
import { EmptyList, FailedList } from "./list-state";
import { ListTable } from "./list-table";
import { confirm, type Open, type Question, useOverlay } from "./overlay";
import { Pagination } from "./pagination";

/** What an action works with. */
export interface List {
  t: Translate;
  open: Open;
  confirm: (question: Question) => Promise<boolean>;
  /** Brings the rows anew, and says so when asked to. */
  reload: (done?: MessageKey) => Promise<void>;
  /** Opens another page of ours. */
  go: (address: string) => Promise<void>;
  /** Whether the viewer holds a point: of this list ("update"), or a whole one ("admin/test/check"). */
  can: (point: string) => boolean;
}

interface Action {
  label: MessageKey;
  /** The permission point it needs, within the list's ("update") or whole ("admin/test/check"). Without it, it is not in the HTML. */
  point: string;
  danger?: boolean;
}

/** Something to do with one row. The first two that apply are buttons, the rest is in a menu. */
export interface RowAction<Row> extends Action {
  /** Whether it applies to this row; absent: always. */
  when?: (row: Row, viewer: Viewer) => boolean;
  run: (row: Row, list: List) => Promise<unknown>;
}

/** Something to do with all picked rows at once. */
export interface BatchAction<Row> extends Action {
  icon?: IconName;
  run: (rows: readonly Row[], list: List) => Promise<unknown>;
}

interface ListPageProps<Row> {
  title: MessageKey;
  /** Says in an empty list what will be here. */
  empty: MessageKey;
  /** Path of the calls, "/channel": exports go to `<api>/page/export`. */
  api: string;
  /** Prefix of the permission points, "channel/list". */
  points: string;
  fields: readonly Field<Row>[];
  filters: readonly Filter[];
  /** Makes a new record, in a dialog or on a page of its own; needs the point `create` unless another is named. */
  create?: { label: MessageKey; point?: string } & ({ run: (list: List) => Promise<unknown> } | { href: string });
  /** Brings records from a table; needs the point `import`. */
  imports?: (list: List) => Promise<unknown>;
  /** Whether the list can be had as a file, by who holds the point `export`; absent: yes. */
  exports?: boolean;
  actions?: readonly RowAction<Row>[];
  batch?: readonly BatchAction<Row>[];
}

/** Actions that are buttons in their row; the others are in its menu. */
const INLINE_ACTIONS = 2;
const NONE: ReadonlySet<number> = new Set();

/**
 * A whole list page. Its rows are the load `list` of its route.
 * @example <ListPage title="channel.title" api="/channel" points="channel/list" fields={…} filters={…} />
 */
export function ListPage<Row extends { id: number }>(props: ListPageProps<Row>) {
  const { title, empty, api, points, fields, filters, create, imports } = props;
  const t = useT();
  const held = usePoints();
  const viewer = useViewer();
  const runLoads = useReload();
  const { pathname, search } = useLocation();
  const navigation = useNavigation();
  const navigate = useNavigate();
  const query = useListQuery();
  const [overlays, openOver] = useOverlay();
  const [act, open] = useAct(runLoads, openOver);
  const [choice, choose] = useListChoice(api);
  const [picked, setPicked] = useState(NONE);
  const [refreshing, setRefreshing] = useState(false);
  const answer = usePageData<Page<Row> | null>("list");

  const can = (point: string) => held.has(point.includes("/") ? point : `${points}/${point}`);
  const list: List = {
    t,
    open,
    can,
    confirm: (question) => confirm(open, question),
    go: async (address) => navigate(address),
    reload: async (done) => {
      if (done) notify("success", t(done));
      await runLoads();
    },
  };
  const refresh = () => {
    setRefreshing(true);
    void runLoads().finally(() => setRefreshing(false));
  };

  const actions = (props.actions ?? []).filter(({ point }) => can(point));
  const batch = (props.batch ?? []).filter(({ point }) => can(point));
  const page = answer.code === "0000" ? answer.data : null;
  const rows = page?.list ?? [];
  const settled = page?.settled;
  const filled = useMemo(() => ({ ...query, filters: { ...settled, ...query.filters } }), [query, settled]);
  const shown = useMemo(() => shownFields(fields, choice), [fields, choice]);
  const pickedRows = rows.filter(({ id }) => picked.has(id));
  const loading = navigation.state === "loading" && navigation.location.pathname === pathname;

  const createButton =
    create &&
    can(create.point ?? "create") &&
    ("href" in create ? (
      <a className={buttonClass("primary")} href={create.href}>
        <Icon name="plus" />
        {t(create.label)}
      </a>
    ) : (
      <Button look="primary" icon="plus" onClick={() => act(create.label, () => create.run(list))}>
        {t(create.label)}
      </Button>
    ));

  return (
    <>
      <div className="ll-card">
        <h1 className="ll-title">{t(title)}</h1>
        <ListFilter filters={filters} query={filled} pathname={pathname} />
        <div className="ll-toolbar">
          {createButton}
          {imports && can("import") && (
            <Button icon="upload" onClick={() => act("import", () => imports(list))}>
              {t("ui.import")}
            </Button>
          )}
          {pickedRows.length > 0 && (
            <div className="ll-batch" role="group" aria-label={t("ui.batch")}>
              <span role="status">{t("ui.picked", { count: pickedRows.length })}</span>
              {batch.map(({ label, icon, danger, run }) => (
                <Button
                  key={label}
                  icon={icon}
                  look={danger ? "danger" : "outline"}
                  onClick={() => act(label, () => run(pickedRows, list).finally(() => setPicked(NONE)))}
                >
                  {t(label)}
                </Button>
              ))}
            </div>
          )}
          <div className="ll-tools">
            {props.exports !== false && can("export") && page && (
              <Button icon="download" onClick={() => act("export", () => openExport(list, api, fields, shown, search, page.total))}>
                {t("ui.export")}
              </Button>
            )}
            <IconButton icon="refresh" label={t("ui.refresh")} busy={refreshing} onClick={refresh} />
            <IconButton
              icon="density"
              label={t("ui.density")}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => act("density", () => openDensities(open, currentTarget, choice, choose))}
            />
            <IconButton
              icon="columns"
              label={t("ui.columns")}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => act("columns", () => openColumns(open, currentTarget, fields, choice, choose))}
            />
          </div>
        </div>
        {page === null ? (
          <FailedList answer={answer} address={pathname + search} />
        ) : (
          <>
            <ListTable
              label={t(title)}
              rows={rows}
              totals={page.totals}
              fields={shown}
              query={query}
              pathname={pathname}
              density={choice.density}
              loading={loading}
              selection={batch.length > 0 ? { ids: picked, set: setPicked } : undefined}
              actions={
                actions.length > 0 && viewer
                  ? (row) => rowActions(actions.filter(({ when }) => !when || when(row, viewer)), row, list, act)
                  : undefined
              }
            />
            {rows.length === 0 && (
              <EmptyList
                filtered={Object.keys(query.filters).length > 0}
                beyond={page.total > 0}
                pathname={page.total > 0 ? pathname + listSearch(query, { current: 1 }) : pathname}
                hint={t(empty)}
              >
                {createButton}
              </EmptyList>
            )}
            <Pagination pathname={pathname} query={query} total={page.total} totalIsExact={page.totalIsExact} newest={page.newest} />
          </>
        )}
      </div>
      {overlays}
    </>
  );
}

/** The buttons at the end of a row; bare ones, for there are some sixty of them on a page. */
function rowActions<Row extends { id: number }>(actions: readonly RowAction<Row>[], row: Row, list: List, act: Act): ReactNode {
  const { t } = list;
  const inline = actions.slice(0, INLINE_ACTIONS);
  const rest = actions.slice(INLINE_ACTIONS);
  return (
    <>
      {inline.map(({ label, danger, run }) => (
        <button key={label} className={danger ? "ll-act-danger" : undefined} onClick={() => act(`${label} ${row.id}`, () => run(row, list))}>
          {t(label)}
        </button>
      ))}
      {rest.length > 0 && (
        <button aria-haspopup="menu" onClick={({ currentTarget }) => act(`more ${row.id}`, () => openRowMenu(currentTarget, rest, row, list))}>
          {t("ui.more")}
        </button>
      )}
    </>
  );
}

async function openRowMenu<Row>(anchor: HTMLElement, actions: readonly RowAction<Row>[], row: Row, list: List) {
  const { ActionMenu } = await import("./menu");
  const items = actions.map(({ label, danger }) => ({ value: label, label: list.t(label), danger }));
  const chosen = await list.open<string>((overlay) => <ActionMenu overlay={overlay} anchor={anchor} items={items} />);
  // The menu is going: the button that opened it is what a dialog gives the focus back to.
  anchor.focus();
  await actions.find(({ label }) => label === chosen)?.run(row, list);
}

type Choose = (choice: ListChoice) => void;

async function openDensities(open: Open, anchor: HTMLElement, choice: ListChoice, choose: Choose) {
  const { ChoiceMenu } = await import("./menu");
  await open((overlay) => (
    <ChoiceMenu
      overlay={overlay}
      anchor={anchor}
      label="ui.density"
      items={DENSITIES.map((value) => ({ value, label: `ui.density.${value}` as const }))}
      chosen={[choice.density]}
      single
      onChange={([density = choice.density]) => choose({ ...choice, density: density as ListChoice["density"] })}
    />
  ));
}

async function openColumns<Row>(open: Open, anchor: HTMLElement, fields: readonly Field<Row>[], choice: ListChoice, choose: Choose) {
  const { ChoiceMenu } = await import("./menu");
  const optional = fields.slice(1).filter(({ list }) => list !== "never");
  await open((overlay) => (
    <ChoiceMenu
      overlay={overlay}
      anchor={anchor}
      label="ui.columns"
      items={optional.map(({ key, title }) => ({ value: key, label: title }))}
      chosen={shownFields(fields, choice).map(({ key }) => key)}
      onChange={(keys) => choose({ ...choice, columns: Object.fromEntries(optional.map(({ key }) => [key, keys.includes(key)])) })}
    />
  ));
}

async function openExport<Row>(
  list: List,
  api: string,
  fields: readonly Field<Row>[],
  shown: readonly Field<Row>[],
  search: string,
  total: number,
) {
  const { ExportDialog } = await import("./export-dialog");
  const keys = (some: readonly Field<Row>[]) => some.filter(({ list, file }) => list !== "never" && file !== false).map(({ key }) => key);
  await list.open((overlay) => (
    <ExportDialog overlay={overlay} path={`${api}/page/export`} search={search} total={total} all={keys(fields)} shown={keys(shown)} />
  ));
}
