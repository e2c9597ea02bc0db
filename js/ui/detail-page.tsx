/**
 * The page of one record, at an address of its own (`/org/receipt/:id`): head with title, status, key facts and
 * actions, then tabs. All of it is in the HTML, tabs are links, so it works before and without JavaScript.
 */
import { type ReactNode, useRef } from "react";

import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { usePoints } from "../lib/permissions";
import { usePageData, useViewer } from "../lib/props";
import { parseQuery } from "../lib/query-string";
import { useShortcuts } from "../lib/shortcuts";
import { useLocation } from "../lib/visit";
import { ExceptionView } from "./exception-view";
import { openActionMenu, type RowAction, useActions } from "./actions";
import { BackLink } from "./back-link";
import { Button } from "./button";
import { type Field, fieldClass, showField } from "./field";
import { Icon } from "./icon";
import { FailedList } from "./list-state";

/** One tab; the first is shown when the address names none. */
export interface DetailTab<Row> {
  /** The value of `?tab=`. */
  name: string;
  label: MessageKey;
  /** The key that opens it. */
  shortcut?: string;
  /** The permission point it needs; absent: the page's. */
  point?: string;
  show: (row: Row, t: Translate) => ReactNode;
}

interface DetailPageProps<Row> {
  /** Name of the load that brings the record. */
  load: string;
  /** The list that the record is one of. */
  list: { href: string; title: MessageKey };
  /** Prefix of the permission points, "org/receipt". */
  points: string;
  title: (row: Row, t: Translate) => string;
  fields: readonly Field<Row>[];
  /** Keys of the fields in the head: the status beside the title, a few facts below it. */
  status?: keyof Row & string;
  facts?: readonly (keyof Row & string)[];
  /** What the record is about, in a sentence below its title. */
  sentence?: (row: Row, t: Translate) => ReactNode;
  /** As in the list; the first ones that apply are buttons, the rest is in a menu. */
  actions?: readonly RowAction<Row>[];
  tabs: readonly DetailTab<Row>[];
}

/** Actions that are buttons in the head; the others are in its menu. */
const INLINE_ACTIONS = 3;

/**
 * @example <DetailPage load="receipt" list={{ href: "/org/receipt", title: "receipt.title" }} points="org/receipt" title={({ no }) => no} fields={…} tabs={…} />
 */
export function DetailPage<Row extends { id: number }>(props: DetailPageProps<Row>) {
  const answer = usePageData<Row | null>(props.load);
  const { pathname, search } = useLocation();
  if (answer.code === "0000" && answer.data) return <Whole key={answer.data.id} {...props} row={answer.data} />;
  if (answer.code === "1004" || answer.code === "4000") return <ExceptionView status={404} />;
  return (
    <div className="ll-card">
      <FailedList answer={answer} address={pathname + search} />
    </div>
  );
}

function Whole<Row extends { id: number }>({
  list: above,
  points,
  title,
  fields,
  status,
  facts = [],
  sentence,
  tabs,
  row,
  ...props
}: DetailPageProps<Row> & { row: Row }) {
  const t = useT();
  const held = usePoints();
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  const [list, act, overlays] = useActions(points, above.href);
  const actions = (props.actions ?? []).filter(({ point, when }) => list.can(point) && viewer && (!when || when(row, viewer)));
  const [inline, rest] = [actions.slice(0, INLINE_ACTIONS), actions.slice(INLINE_ACTIONS)];
  const open = tabs.filter(({ point }) => point === undefined || held.has(point));
  const requested = parseQuery(search)["tab"];
  const current = open.find(({ name }) => name === requested) ?? open[0];
  const tabLinks = useRef<HTMLElement>(null);
  useShortcuts([
    ...actions.flatMap(({ label, shortcut: key, run }) =>
      key ? [{ key, text: t(label), run: () => act(label, () => run(row, list)) }] : [],
    ),
    ...open.flatMap(({ label, shortcut: key }, i) =>
      key ? [{ key, text: t("ui.openTab", { name: t(label) }), run: () => tabLinks.current?.querySelectorAll("a")[i]?.click() }] : [],
    ),
  ]);
  const fieldOf = (key: string) => fields.find((field) => field.key === key);
  const statusField = status && fieldOf(status);

  return (
    <>
      <div className="ll-card ll-record">
        <BackLink href={above.href}>{t("ui.backTo", { name: t(above.title) })}</BackLink>
        <header className="ll-page-head">
          <div className="ll-page-title">
            <h1 className="ll-title">{title(row, t)}</h1>
            {statusField && showField(statusField, row, t)}
          </div>
          {actions.length > 0 && (
            <div className="ll-page-acts">
              {inline.map(({ label, danger, shortcut, run }) => (
                <Button
                  key={label}
                  aria-keyshortcuts={shortcut?.toUpperCase()}
                  className={danger ? "ll-btn-warns" : undefined}
                  onClick={() => act(label, () => run(row, list))}
                >
                  {t(label)}
                </Button>
              ))}
              {rest.length > 0 && (
                <Button
                  aria-haspopup="menu"
                  onClick={({ currentTarget }) => act("more", () => openActionMenu(currentTarget, rest, row, list, act))}
                >
                  {t("ui.more")}
                  <Icon name="chevron-down" />
                </Button>
              )}
            </div>
          )}
        </header>
        {sentence?.(row, t)}
        {facts.length > 0 && (
          <dl className="ll-facts">
            {facts.map(fieldOf).map(
              (field) =>
                field && (
                  <div key={field.key}>
                    <dt>{t(field.title)}</dt>
                    <dd className={fieldClass(field.kind)}>{showField(field, row, t)}</dd>
                  </div>
                ),
            )}
          </dl>
        )}
        {open.length > 1 && (
          <nav ref={tabLinks} className="ll-tabs" aria-label={t("ui.tabs")}>
            {open.map((tab, i) => (
              <a
                key={tab.name}
                href={i === 0 ? pathname : `${pathname}?tab=${tab.name}`}
                data-replace=""
                aria-keyshortcuts={tab.shortcut?.toUpperCase()}
                aria-current={tab === current ? "page" : undefined}
              >
                {t(tab.label)}
              </a>
            ))}
          </nav>
        )}
      </div>
      {current && (
        <section className="ll-card" aria-label={t(current.label)}>
          {current.show(row, t)}
        </section>
      )}
      {overlays}
    </>
  );
}
