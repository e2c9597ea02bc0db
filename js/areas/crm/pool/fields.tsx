/** A pool's fields and filters, for list, detail, history and audit trail. */
import type { PoolRow, SelectOption } from "../../../lib/api-types";
import { useStatusCodes } from "../../../lib/codes";
import { count } from "../../../lib/format";
import { useHasPoint } from "../../../lib/permissions";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** What the form chooses from. */
export interface PoolChoices {
  orgs: readonly SelectOption[];
  /** The organisation of the viewer; null for platform staff. */
  orgId: number | null;
}

/** The open clues of a pool, in the list that the viewer may open. */
function Clues({ id, clues }: Pick<PoolRow, "id" | "clues">) {
  const claims = useHasPoint(["crm/clue/claim"]);
  return (
    <a className="ll-link" href={`${claims ? "/crm/pool" : "/crm/clue"}?poolId=${id}&state=open`}>
      {count(clues)}
    </a>
  );
}

export const poolFields: readonly Field<PoolRow>[] = [
  { key: "name", title: "pool.name" },
  { key: "orgName", title: "pool.orgName", short: true, link: toOrg },
  {
    key: "subOrgNames",
    title: "pool.subOrgNames",
    kind: "lines",
    show: ({ subOrgNames }, t) => subOrgNames.join(t("ui.comma")) || t("pool.allTeams"),
  },
  {
    key: "clues",
    title: "pool.clues",
    kind: "count",
    show: ({ id, clues }) => <Clues id={id} clues={clues} />,
  },
  { key: "status", title: "pool.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "claimPerDay", title: "pool.claimPerDay", kind: "count" },
  { key: "formerOwnerDays", title: "pool.formerOwnerDays", kind: "count", list: "hidden" },
  { key: "newDelayMinutes", title: "pool.newDelayMinutes", kind: "count", list: "hidden" },
  { key: "reclaimDays", title: "pool.reclaimDays", kind: "count", show: ({ reclaimDays }, t) => reclaimDays || t("pool.never") },
  {
    key: "remindDays",
    title: "pool.remindDays",
    kind: "count",
    list: "hidden",
    show: ({ remindDays }, t) => remindDays || t("pool.never"),
  },
  {
    key: "minLevel",
    title: "pool.minLevel",
    kind: "enum",
    labels: "SalesLevel",
    show: ({ minLevel }, t) => (minLevel ? t(`SalesLevel.${minLevel}`) : t("pool.anyLevel")),
  },
  { key: "sort", title: "pool.sort", kind: "count", list: "hidden" },
  { key: "createdAt", title: "pool.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "pool.updatedAt", kind: "time", list: "hidden" },
];

export const poolFilters: readonly Filter[] = [
  { name: "keyword", label: "pool.keyword", kind: "text", placeholder: "pool.keywordHint" },
  { name: "status", label: "pool.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
  { name: "orgId", label: "pool.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
];
