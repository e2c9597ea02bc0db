/**
 * The page of a list of visits. The lists of channels, products, organisations and plans differ only in their
 * titles and in the figures that make sense for them.
 */
import type { UvRow, VisitorSystem } from "../lib/api-types";
import type { MessageKey } from "../lib/i18n";
import { type Field, toChannel, toOrg, toPlan, toProduct } from "./field";
import type { Filter } from "./list-filter";
import { ListPage } from "./list-page";

const systems: readonly VisitorSystem[] = ["ios", "android", "wechat", "other"];

/** A filter with the choices of one of the page's loads. */
interface Choice {
  label: MessageKey;
  load: string;
}

interface VisitList {
  title: MessageKey;
  /** Path of the calls, "/channel/uv". */
  api: string;
  /** Prefix of the permission points, "channel/uv-list". */
  points: string;
  /** The title of the subject, and the filter by it. */
  subject: Choice;
  /** The filter by the channel that visitors came by. */
  channels?: Choice;
  orgs?: Choice;
  /** The columns in their order; those after the bar are hidden until the viewer shows them. */
  columns: readonly (keyof UvRow | "|")[];
}

/** The calls of the loads of choices, which also search among them. */
const SEARCHES: Readonly<Record<string, string>> = {
  channels: "/channel/options",
  orgs: "/org/options",
  plans: "/plan/options",
  products: "/product/options",
};

/** The pages of the subjects, by the load of their choices. */
const PAGES: Readonly<Record<string, { page: string; point: string }>> = {
  channels: toChannel,
  orgs: toOrg,
  plans: toPlan,
  products: toProduct,
};

const searched = (load: string) => ({ load, search: SEARCHES[load] });

/** Makes the page of a list of visits. */
export function visitList({ title, api, points, subject, channels, orgs, columns }: VisitList) {
  const page = PAGES[subject.load];
  const link = page && ({ ...page, id: "subjectId" } as const);
  const all: readonly Field<UvRow>[] = [
    { key: "day", title: "uv.day", kind: "code", sort: true },
    { key: "orgName", title: "uv.org" },
    { key: "subjectCode", title: "uv.code", kind: "code" },
    { key: "subjectName", title: subject.label, ...(link && { link }) },
    { key: "exposurePv", title: "uv.exposurePv", kind: "count", sort: true, total: true },
    { key: "exposureUv", title: "uv.exposureUv", kind: "count", sort: true, total: true },
    { key: "pv", title: "uv.pv", kind: "count", sort: true, total: true },
    { key: "uv", title: "uv.uv", kind: "count", sort: true, total: true },
    { key: "clickBp", title: "uv.clickRate", kind: "basisPoints", total: true },
    { key: "registered", title: "uv.registered", kind: "count", total: true },
    { key: "applied", title: "uv.applied", kind: "count", total: true },
    { key: "matched", title: "uv.matched", kind: "count", total: true },
    { key: "sold", title: "uv.sold", kind: "count", total: true },
    { key: "returned", title: "uv.returned", kind: "count", total: true },
    { key: "costCents", title: "uv.cost", kind: "money", sort: true, total: true },
    { key: "incomeCents", title: "uv.income", kind: "money", sort: true, total: true },
    { key: "marginCents", title: "uv.margin", kind: "money", sort: true, total: true },
    { key: "testPv", title: "uv.testPv", kind: "count", total: true },
    { key: "testUv", title: "uv.testUv", kind: "count", total: true },
    { key: "computedAt", title: "uv.computedAt", kind: "time" },
  ];
  const bar = columns.indexOf("|");
  const fields = columns.flatMap((key, place): Field<UvRow>[] => {
    const field = all.find((known) => known.key === key);
    return field ? [bar >= 0 && place > bar ? { ...field, list: "hidden" } : field] : [];
  });
  const filters: Filter[] = [
    { name: "day", label: "uv.day", kind: "days" },
    { name: "subjectId", label: subject.label, kind: "select", options: searched(subject.load) },
    ...(orgs ? [{ name: "orgId", label: orgs.label, kind: "select", options: searched(orgs.load) } as const] : []),
    ...(channels ? [{ name: "channelId", label: channels.label, kind: "select", options: searched(channels.load) } as const] : []),
    { name: "system", label: "uv.system", kind: "select", options: { codes: systems, labels: "uv.system" } },
  ];
  return function VisitListPage() {
    return <ListPage title={title} empty="uv.empty" api={api} points={points} fields={fields} filters={filters} />;
  };
}
