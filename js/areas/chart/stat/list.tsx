/** The page of all statistics: a chart, the list with its comparison, and how each figure is computed. */
import type { StatAround, StatFigure, StatRow, StatValues, VisitorSystem } from "../../../lib/api-types";
import { returnsByCodes, statRangeCodes } from "../../../lib/codes";
import { changeBp, count, EMPTY, isFew, money, percent } from "../../../lib/format";
import { type MessageKey, type Translate, useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { usePoints } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { ChartCard } from "../../../ui/chart-card";
import type { FieldTitles } from "../../../ui/changes";
import type { Field, FieldKind } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { ListPage } from "../../../ui/list-page";
import { choiceOf, inView, useStart, useStatView, ViewBar } from "../view/bar";
import { type Dimension, type RowAbout, rowsBehind } from "./rows-behind";

type Part = "whole" | "day" | "month";

interface StatList {
  /** Path of the calls, "/chart/channel". */
  api: string;
  /** Prefix of the permission points, "chart/channel-list". */
  points: string;
  by: Dimension;
  part: Part;
}

const systems: readonly VisitorSystem[] = ["ios", "android", "wechat", "other"];
const VIEW = ["view"];
const NOTHING: StatAround = { figures: [], charts: [], opensLeads: false, opensFeedback: false };
/** Figures that are hidden until the viewer shows them: the others fit a window of 1,440 px. */
const HIDDEN: readonly string[] = [
  "exposures",
  "visits",
  "matched",
  "pushed",
  "testPushed",
  "testSales",
  "duplicates",
  "failed",
  "refused",
  "stars0",
  "stars1",
  "stars2",
  "stars3",
  "contacted",
  "visited",
  "signed",
  "disbursed",
  "refundCents",
  "moneyCents",
  "applyBp",
  "matchBp",
  "acceptBp",
  "visitBp",
  "marginBp",
  "costEachCents",
  "incomeEachCents",
];
/** The same for the statistics by stars, which are about the results of leads. */
const SCORE_HIDDEN: readonly string[] = [
  "passed",
  "matched",
  "pushed",
  "testPushed",
  "testSales",
  "contacted",
  "visited",
  "signed",
  "disbursed",
  "costCents",
  "incomeCents",
];
/** Figures for which higher is not better: their changes have no colour. */
const PLAIN: readonly string[] = [
  "duplicates",
  "failed",
  "refused",
  "returns",
  "returnBp",
  "stars0",
  "stars1",
  "refundCents",
  "costCents",
  "costEachCents",
];
/** Averages, which have no rows behind them. */
const AVERAGES: readonly string[] = ["costEachCents", "incomeEachCents"];
const KINDS: Readonly<Record<StatFigure["kind"], FieldKind>> = { count: "count", money: "money", rate: "basisPoints" };

/** Makes the page of a screen. */
export function statList({ api, points, by, part }: StatList) {
  const filters = filtersOf(by, part);
  return function StatListPage() {
    const t = useT();
    const { figures, charts, opensLeads, opensFeedback } = useLoaded<StatAround>("around") ?? NOTHING;
    const granted = usePoints();
    const requested = useListQuery().filters;
    const view = useStatView();
    const start = useStart();
    // Organisations see the figures of systems by their own visits.
    const counted = by === "system" && !granted.has("channel/uv-list/list") ? "org" : by;
    const opens: Opens = (figure, row) => {
      const rows = rowsBehind(figure, row, { by: counted, opensLeads, opensFeedback, filters: requested });
      return rows && granted.has(rows.point) ? rows.href : null;
    };
    const fields = inView(
      [...headsOf(by, part), ...figures.map((figure) => fieldOf(figure, by === "score" ? SCORE_HIDDEN : HIDDEN, opens))],
      view,
    );
    return (
      <>
        <ViewBar api={api} points={points} fields={fields} />
        {charts.length > 0 && (
          <div className="ll-charts stat-charts">
            {charts.map((chart) => (
              <ChartCard key={`${chart.id} ${chart.title}`} chart={chart} wide />
            ))}
          </div>
        )}
        <ListPage<StatRow>
          title={`stat.title.${part}.${by}` as MessageKey}
          empty="stat.empty"
          api={api}
          points={points}
          fields={fields}
          choice={choiceOf(api, view)}
          start={start}
          kept={VIEW}
          filters={filters}
        />
        {figures.length > 0 && (
          <details className="ll-card">
            <summary>{t("stat.formulas")}</summary>
            <p>{t("stat.rates")}</p>
            <dl className="ll-details">
              {figures.map(({ key }) => (
                <div key={key}>
                  <dt>{t(`stat.${key}` as MessageKey)}</dt>
                  <dd>{t(`formula.${key}` as MessageKey)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </>
    );
  };
}

function filtersOf(by: Dimension, part: Part): readonly Filter[] {
  const subject = by === "system" || by === "score" ? null : { load: "subjects", search: `/${by}/options` };
  return [
    { name: "day", label: "stat.days", kind: "days" },
    ...(part === "whole" ? [{ name: "against", label: "stat.against", kind: "days" } as const] : []),
    ...(subject ? [{ name: "subjectId", label: `stat.${by}` as MessageKey, kind: "select", options: subject } as const] : []),
    ...(by === "channel"
      ? []
      : [{ name: "channelId", label: "stat.channel", kind: "select", options: { load: "channels", search: "/channel/options" } } as const]),
    ...(by === "product" || by === "score"
      ? [{ name: "orgId", label: "stat.org", kind: "select", options: { load: "orgs", search: "/org/options" } } as const]
      : []),
    ...(by === "score"
      ? []
      : [{ name: "system", label: "stat.system", kind: "select", options: { codes: systems, labels: "uv.system" } } as const]),
    { name: "returnsBy", label: "stat.returnsBy", kind: "select", options: { codes: returnsByCodes, labels: "ReturnsBy" } },
  ];
}

/** The fields that say what a row is about. */
function headsOf(by: Dimension, part: Part): readonly Field<StatRow>[] {
  const subject: readonly Field<StatRow>[] =
    by === "system"
      ? [{ key: "system", title: "stat.system", kind: "enum", labels: "uv.system" }]
      : by === "score"
        ? [{ key: "star", title: "stat.star", kind: "enum", labels: "user.star", sort: true }]
        : [
            { key: "subjectName", title: "stat.subjectName", sort: true },
            { key: "subjectCode", title: "stat.subjectCode", kind: "code", list: "hidden" },
          ];
  const time: readonly Field<StatRow>[] = [{ key: "part", title: "stat.part", kind: "code", sort: true }];
  return part === "whole" ? subject : part === "day" ? time : [...time, ...subject];
}

/** The address of the rows behind a figure, for viewers who may list them. */
type Opens = (figure: string, row: RowAbout) => string | null;

function fieldOf({ key, kind }: StatFigure, hidden: readonly string[], opens: Opens): Field<StatRow> {
  const name = key as keyof StatValues;
  const hasRows = kind !== "rate" && !AVERAGES.includes(key);
  return {
    key: name,
    title: `stat.${key}` as MessageKey,
    kind: KINDS[kind],
    sort: true,
    total: true,
    ...(hidden.includes(key) ? { list: "hidden" as const } : {}),
    show: (row, t) => {
      const { before, week } = row;
      const value = enough(name, row);
      return (
        <>
          <Value text={textOf(kind, value)} href={hasRows && value ? opens(key, row) : null} />
          {before && (
            <Change of={key} kind={kind} value={value} before={enough(name, before)} than={week ? t("stat.dayBefore") : ""} t={t} />
          )}
          {week && <Change of={key} kind={kind} value={value} before={enough(name, week)} than={t("stat.weekBefore")} t={t} />}
        </>
      );
    },
  };
}

/** The figures of which the rates are parts (crates/stats/src/figure.rs). */
const BASES: Partial<Record<keyof StatValues, keyof StatValues>> = {
  applyBp: "visitors",
  passBp: "applicants",
  matchBp: "passed",
  acceptBp: "pushed",
  returnBp: "sales",
  contactBp: "sales",
  visitBp: "sales",
  signBp: "sales",
  disburseBp: "sales",
  marginBp: "incomeCents",
};

/** A figure; none if it is a rate of too few. */
function enough(name: keyof StatValues, values: StatValues): number | null {
  const key = BASES[name];
  const base = key === undefined ? null : values[key];
  return base !== null && isFew(base, key === "incomeCents") ? null : values[name];
}

function Value({ text, href }: { text: string; href: string | null }) {
  if (href === null) return text;
  return (
    <a className="ll-link" href={href}>
      {text}
    </a>
  );
}

function textOf(kind: StatFigure["kind"], value: number | null): string {
  if (value === null) return EMPTY;
  return kind === "money" ? money(value) : kind === "rate" ? percent(value) : count(value);
}

interface ChangeProps {
  /** The key of the figure. */
  of: string;
  kind: StatFigure["kind"];
  value: number | null;
  before: number | null;
  /** The name of the comparison, if there are two. */
  than: string;
  t: Translate;
}

/** The change of a value in per cent, of a rate in percentage points; a dash where there was too little before. */
function Change({ of, kind, value, before, than, t }: ChangeProps) {
  const change = value === null || before === null ? null : kind === "rate" ? value - before : changeBp(value, before, kind === "money");
  const sign = change === null || change === 0 ? "" : change > 0 ? "▲ " : "▼ ";
  const shown =
    change === null ? "–" : kind === "rate" ? t("stat.points", { change: (Math.abs(change) / 100).toFixed(2) }) : percent(Math.abs(change));
  return (
    <small className="stat-change" data-sign={change === null || PLAIN.includes(of) ? undefined : Math.sign(change)}>
      {than} {sign}
      {shown}
    </small>
  );
}

/** All filters, for the audit trail. */
export const statFilters: readonly Filter[] = [
  ...filtersOf("product", "whole"),
  ...filtersOf("org", "whole"),
  { name: "range", label: "stat.days", kind: "select", options: { codes: statRangeCodes, labels: "StatRange" } },
];

/** Titles of keys of a file in the audit trail, besides its filters. */
export const statTitles: FieldTitles = {
  part: "stat.part",
  subjectName: "stat.subjectName",
  name: "view.name",
  sendRoleId: "view.sendRole",
  sendMinute: "view.sendMinute",
  shareRoleId: "ui.shareView",
};
