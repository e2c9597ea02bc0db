/** The fields and filters of achievements, and the lists behind their numbers. */
import type { AchievementMetric, AchievementRow, SelectOption } from "../../../lib/api-types";
import { achievementMetricCodes, achievementObjectCodes } from "../../../lib/codes";
import { count, EMPTY, money, percent } from "../../../lib/format";
import { useHasPoint } from "../../../lib/permissions";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** Whether a metric is in fen. */
export const isMoney = (metric: AchievementMetric) => metric === "loan_amount" || metric === "fee_received";

/** A value of a metric: yuan, or a number. */
export const valueText = (metric: AchievementMetric, value: number | null) =>
  value === null ? EMPTY : isMoney(metric) ? money(value) : count(value);

/** The month that is so many months after another; `YYYY-MM`. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The first and the last day of a month. */
function daysOf(month: string): [from: string, to: string] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return [`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)];
}

/** The list of the records that a number of a month adds up. */
export function rowsBehind({ metric, objectType, objectId }: AchievementRow, month: string): string {
  const [from, to] = daysOf(month);
  const whole = objectType === "company" ? "orgId" : "subOrgId";
  if (isMoney(metric)) {
    return `/crm/money?paidFrom=${from}&paidTo=${to}&status=confirmed&${objectType === "person" ? "salesId" : whole}=${objectId}`;
  }
  const name = metric === "signed" ? "signed" : "visited";
  const whose = { person: `${name}By`, team: `${name}Team`, company: "orgId" }[objectType];
  return `/crm/clue?${name}From=${from}&${name}To=${to}&${whose}=${objectId}`;
}

/** A number that opens its rows, for viewers who may list them. */
function Value({ row, month, value }: { row: AchievementRow; month: string; value: number }) {
  const lists = useHasPoint([isMoney(row.metric) ? "crm/clue/money" : "crm/clue/list"]);
  const text = valueText(row.metric, value);
  if (row.id === 0 || value === 0 || !lists) return text;
  return (
    <a className="ll-link" href={rowsBehind(row, month)}>
      {text}
    </a>
  );
}

export const achievementFields: readonly Field<AchievementRow>[] = [
  {
    // The link opens the charts of the object.
    key: "objectName",
    title: "achievement.objectName",
    sort: true,
    show: ({ month, objectType, objectId, objectName }) => (
      <a className="ll-link" href={`/crm/achievements?month=${month}&objectType=${objectType}&objectId=${objectId}`}>
        {objectName}
      </a>
    ),
  },
  {
    key: "objectType",
    title: "achievement.objectType",
    kind: "enum",
    labels: "AchievementObject",
    colors: { company: "purple", team: "cyan", person: "blue" },
  },
  { key: "metric", title: "achievement.metric", kind: "enum", labels: "AchievementMetric" },
  { key: "target", title: "achievement.target", kind: "count", sort: true, show: ({ metric, target }) => valueText(metric, target) },
  {
    key: "actual",
    title: "achievement.actual",
    kind: "count",
    sort: true,
    show: (row) => <Value row={row} month={row.month} value={row.actual} />,
  },
  {
    key: "rateBp",
    title: "achievement.rateBp",
    kind: "basisPoints",
    sort: true,
    show: ({ rateBp }) =>
      rateBp === null ? EMPTY : <span className={rateBp >= 10_000 ? "ll-tag ll-tag-green" : undefined}>{percent(rateBp)}</span>,
  },
  { key: "rank", title: "achievement.rank", kind: "count", sort: true },
  {
    key: "lastActual",
    title: "achievement.lastActual",
    kind: "count",
    sort: true,
    show: (row) => <Value row={row} month={monthAfter(row.month, -1)} value={row.lastActual} />,
  },
  {
    key: "change",
    title: "achievement.change",
    kind: "count",
    sort: true,
    show: ({ metric, change }) => (change > 0 ? `+${valueText(metric, change)}` : valueText(metric, change)),
  },
  { key: "subOrgName", title: "achievement.subOrgName" },
  { key: "orgName", title: "achievement.orgName", list: "hidden" },
  { key: "month", title: "achievement.month", kind: "code", list: "hidden" },
];

/** Rows of one metric and one kind of object add up. */
const ADDED = ["target", "actual", "rateBp", "lastActual", "change"];

/** The fields of a list, with totals or without; staff of the platform see the organisation of each object. */
export const fieldsOf = (isAdded: boolean, isOfPlatform: boolean): readonly Field<AchievementRow>[] =>
  achievementFields.map((field) => {
    const { list: _, ...shown } = field;
    return {
      ...(isOfPlatform && field.key === "orgName" ? shown : field),
      ...(isOfPlatform && (field.key === "subOrgName" || field.key === "lastActual") ? { list: "hidden" as const } : {}),
      ...(isAdded && ADDED.includes(field.key) ? { total: true } : {}),
    };
  });

/** The filters, with the months and teams to choose from. */
export function filtersOf(months: readonly string[], teams: readonly SelectOption[]): readonly Filter[] {
  return [
    {
      name: "month",
      label: "achievement.month",
      kind: "select",
      options: { choices: months.map((month) => ({ value: month, label: month })) },
    },
    {
      name: "metric",
      label: "achievement.metric",
      kind: "select",
      options: { codes: achievementMetricCodes, labels: "AchievementMetric" },
    },
    {
      name: "objectType",
      label: "achievement.objectType",
      kind: "select",
      options: { codes: achievementObjectCodes, labels: "AchievementObject" },
    },
    { name: "subOrgId", label: "achievement.subOrgName", kind: "select", options: { choices: teams } },
    { name: "orgId", label: "achievement.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  ];
}

/** The filters, for the audit trail. */
export const achievementFilters = filtersOf([], []);

/** Titles of keys that are in a history or a filter and not among the fields. */
export const achievementTitles: FieldTitles = {
  copiedFrom: "achievement.copiedFrom",
  copied: "achievement.copiedCount",
  objectId: "achievement.objectName",
};
