/** A team's fields and filters, for list, detail, history and audit trail. */
import type { SelectOption, TeamRow } from "../../../lib/api-types";
import { useStatusCodes } from "../../../lib/codes";
import { count } from "../../../lib/format";
import { placeText } from "../../../lib/places";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { citiesText, ofLimit } from "../salesperson/fields";

/** What the form chooses from. */
export interface TeamChoices {
  orgs: readonly SelectOption[];
  /** The organisation of the viewer; null for platform staff. */
  orgId: number | null;
}

export const teamFields: readonly Field<TeamRow>[] = [
  { key: "name", title: "team.name", sort: true },
  { key: "orgName", title: "team.orgName", short: true, link: toOrg },
  { key: "city", title: "team.city", words: placeText, list: "hidden" },
  { key: "managerName", title: "team.managerName" },
  { key: "phoneMask", title: "team.phoneMask", kind: "code" },
  {
    key: "people",
    title: "team.people",
    kind: "count",
    show: ({ id, people }) => (
      <a className="ll-link" href={`/crm/saleman?subOrgId=${id}&employed=yes`}>
        {count(people)}
      </a>
    ),
  },
  { key: "acceptLeads", title: "team.acceptLeads", kind: "flag" },
  {
    key: "assignedToday",
    title: "team.assignedToday",
    kind: "count",
    show: ({ assignedToday, dailyCap }, t) => ofLimit(assignedToday, dailyCap, t),
  },
  { key: "cities", title: "team.cities", words: citiesText },
  { key: "weight", title: "team.weight", kind: "count", list: "hidden" },
  { key: "status", title: "team.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "sort", title: "team.sort", kind: "count", sort: true, list: "hidden" },
  { key: "dailyCap", title: "team.dailyCap", kind: "count", list: "hidden" },
  { key: "address", title: "team.address", list: "hidden" },
  { key: "createdAt", title: "team.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "team.updatedAt", kind: "time", list: "hidden" },
];

export const teamFilters: readonly Filter[] = [
  { name: "keyword", label: "team.keyword", kind: "text", placeholder: "team.keywordHint" },
  { name: "status", label: "team.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
  { name: "orgId", label: "team.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
];
