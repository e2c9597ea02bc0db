/**
 * The page of a list: title, filters, toolbar, table, pages, and every state in
 * between. A screen gives its definitions and its actions; see js/areas/channel
 * for one written on it.
 */
import { useMemo, useState } from "react";

import type { Page } from "../lib/api-types";
import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { type ListQuery, listSearch, useListQuery } from "../lib/list-query";
import { usePageData, useViewer } from "../lib/props";
import { useLocation, useNext } from "../lib/visit";
import { type BatchAction, type List, type RowAction, useActions } from "./actions";
import { Button, buttonClass, IconButton } from "./button";
import type { Field } from "./field";
import { Icon, type IconName } from "./icon";
import { DENSITIES, inOrder, type ListChoice, shownFields, useListChoice } from "./list-choice";
import { type Filter, FilterButton, ListFilter } from "./list-filter";
import { EmptyList, FailedList } from "./list-state";
import { ListTable } from "./list-table";
import type { Open } from "./overlay";
import { Pagination } from "./pagination";
import { rowActions } from "./row-actions";

export type { BatchAction, List, RowAction } from "./actions";

interface ListPageProps<Row> {
  title: MessageKey;
  /** The text of an empty list: what will be here. */
  empty: MessageKey;
  /** Path of the calls, "/channel": exports go to `<api>/page/export`. */
  api: string;
  /** Prefix of the permission points, "channel/list". */
  points: string;
  fields: readonly Field<Row>[];
  filters: readonly Filter[];
  /** The address of a record's page: the first cell of its row is a link to it. */
  href?: (row: Row) => string;
  /** A key for each row, if ids are not unique. */
  rowKey?: (row: Row) => string;
  /** Makes a new record, in a dialog or on a page of its own; needs the point `create` unless another is named. */
  create?: { label: MessageKey; icon?: IconName; point?: string } & ({ run: (list: List) => Promise<unknown> } | { href: string });
  /** Imports records from a table; needs the point `import`. */
  imports?: (list: List) => Promise<unknown>;
  /** Whether holders of the point `export` get the list as a file, or the path of that call; absent: `<api>/page/export`. */
  exports?: boolean | string;
  /** The name under which the viewer's choice of columns is kept; absent: that of the call. */
  choice?: string;
  /** The address of a reset of the filters; absent: the page without a query. */
  start?: string;
  /** Names of parameters of the address besides the filters, which a search keeps. */
  kept?: readonly string[];
  actions?: readonly RowAction<Row>[];
  batch?: readonly BatchAction<Row>[];
}

const NONE: ReadonlySet<number> = new Set();

/**
 * A whole list page. Its rows are the load `list` of its route.
 * @example <ListPage title="channel.title" api="/channel" points="channel/list" fields={…} filters={…} />
 */
export function ListPage<Row extends { id: number }>(props: ListPageProps<Row>) {
  const { title, empty, api, points, fields, filters, create, imports } = props;
  const t = useT();
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  const next = useNext();
  const query = useListQuery();
  const [list, act, overlays] = useActions(points);
  const { can, open } = list;
  const [choice, choose] = useListChoice(props.choice ?? api);
  const [picked, setPicked] = useState(NONE);
  const [refreshing, setRefreshing] = useState(false);
  const answer = usePageData<Page<Row> | null>("list");
  const start = props.start ?? pathname;

  const refresh = () => {
    setRefreshing(true);
    void list.reload().finally(() => setRefreshing(false));
  };

  const batch = (props.batch ?? []).filter(({ point }) => can(point));
  const page = answer.code === "0000" ? answer.data : null;
  const rows = page?.list ?? [];
  const settled = page?.settled;
  const filled = useMemo(() => ({ ...query, filters: { ...settled, ...query.filters } }), [query, settled]);
  const shown = useMemo(() => shownFields(fields, choice), [fields, choice]);
  const pickedRows = rows.filter(({ id }) => picked.has(id));
  const loading = next?.pathname === pathname;

  const canCreate = create !== undefined && can(create.point ?? "create");
  const canImport = imports !== undefined && can("import");
  const canExport = props.exports !== false && can("export") && page !== null;
  const createButton =
    canCreate &&
    ("href" in create ? (
      <a className={buttonClass("primary")} href={create.href}>
        <Icon name={create.icon ?? "plus"} />
        {t(create.label)}
      </a>
    ) : (
      <Button look="primary" icon={create.icon ?? "plus"} onClick={() => act(create.label, () => create.run(list))}>
        {t(create.label)}
      </Button>
    ));

  return (
    <>
      <div className="ll-card">
        <h1 className="ll-title">{t(title)}</h1>
        <ListFilter filters={filters} query={filled} pathname={pathname} start={start} kept={props.kept} />
        <Kept as="div" className="ll-toolbar" of={["toolbar", pathname, create, canCreate, canImport, canExport]} ofAddress>
          {() => (
            <>
              {createButton}
              <FilterButton filters={filters} query={query} />
              {canImport && (
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
                {canExport && (
                  <Button
                    icon="download"
                    onClick={() =>
                      act("export", () =>
                        openExport(
                          list,
                          typeof props.exports === "string" ? props.exports : `${api}/page/export`,
                          fields,
                          shown,
                          search,
                          page.total,
                        ),
                      )
                    }
                  >
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
                {/* Statistics have views of their own above the list. */}
                {!props.kept?.includes("view") && (
                  <IconButton
                    icon="eye"
                    label={t("ui.views")}
                    aria-haspopup="menu"
                    onClick={({ currentTarget }) =>
                      act("views", () => openViewsAt(currentTarget, list, pathname, query, fields, choice, choose))
                    }
                  />
                )}
                <IconButton
                  icon="columns"
                  label={t("ui.columns")}
                  aria-haspopup="menu"
                  onClick={({ currentTarget }) => act("columns", () => openColumns(open, currentTarget, fields, choice, choose))}
                />
              </div>
            </>
          )}
        </Kept>
        {page === null ? (
          <FailedList answer={answer} address={pathname + search} />
        ) : (
          <>
            <ListTable
              label={t(title)}
              rows={rows}
              totals={page.totals}
              fields={shown}
              href={props.href}
              rowKey={props.rowKey}
              query={query}
              pathname={pathname}
              density={choice.density}
              loading={loading}
              selection={batch.length > 0 ? { ids: picked, set: setPicked } : undefined}
              actions={viewer ? rowActions(props.actions ?? [], viewer, list, act) : undefined}
            />
            {rows.length === 0 && (
              <EmptyList
                filtered={Object.keys(query.filters).length > 0}
                accepts={acceptedTexts(filters, query, t)}
                beyond={page.total > 0}
                pathname={page.total > 0 ? pathname + listSearch(query, { current: 1 }) : start}
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

/** What the filters whose texts were searched by may be. */
function acceptedTexts(filters: readonly Filter[], query: ListQuery, t: Translate): string {
  let texts = "";
  for (const filter of filters) {
    if (filter.kind !== "text" || !filter.placeholder || !query.filters[filter.name]) continue;
    texts += `${t("ui.noResultsHint", { label: t(filter.label), hint: t(filter.placeholder) })} `;
  }
  return texts;
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
      chosen={choice.density}
      onChange={(density) => choose({ ...choice, density: density as ListChoice["density"] })}
    />
  ));
}

async function openViewsAt<Row>(
  anchor: HTMLElement,
  list: List,
  page: string,
  query: ListQuery,
  fields: readonly Field<Row>[],
  choice: ListChoice,
  choose: Choose,
) {
  const { openViews } = await import("./list-views");
  const columns = shownFields(fields, choice).map(({ key }) => key);
  await openViews({ anchor, list, page, query, columns, show: (keys) => choose(withColumns(fields, choice, keys, keys)) });
}

/** The choice with exactly these of the columns that can be hidden, in an order. */
function withColumns<Row>(
  fields: readonly Field<Row>[],
  choice: ListChoice,
  keys: readonly string[],
  order: readonly string[] | undefined,
): ListChoice {
  return { ...choice, columns: Object.fromEntries(optionalOf(fields).map(({ key }) => [key, keys.includes(key)])), order };
}

const optionalOf = <Row,>(fields: readonly Field<Row>[]) => fields.slice(1).filter(({ list }) => list !== "never");

async function openColumns<Row>(open: Open, anchor: HTMLElement, fields: readonly Field<Row>[], choice: ListChoice, choose: Choose) {
  const { ColumnsMenu } = await import("./columns-menu");
  await open((overlay) => (
    <ColumnsMenu
      overlay={overlay}
      anchor={anchor}
      columns={optionalOf(inOrder(fields, choice.order))}
      shown={shownFields(fields, choice).map(({ key }) => key)}
      onChange={(keys, order) => choose(withColumns(fields, choice, keys, order ?? choice.order))}
    />
  ));
}

async function openExport<Row>(
  list: List,
  path: string,
  fields: readonly Field<Row>[],
  shown: readonly Field<Row>[],
  search: string,
  total: number,
) {
  const { ExportDialog } = await import("./export-dialog");
  // Lists without masked numbers have no such point.
  const mayPlain = list.can("export-plain") && list.can("reveal");
  const keys = (some: readonly Field<Row>[]) => some.filter(({ list, file }) => list !== "never" && file !== false).map(({ key }) => key);
  await list.open((overlay) => (
    <ExportDialog overlay={overlay} path={path} search={search} total={total} all={keys(fields)} shown={keys(shown)} mayPlain={mayPlain} />
  ));
}
