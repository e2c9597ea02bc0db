/** A salesperson's fields and filters, for list, detail, history and audit trail. */
import type { SalespersonRow, SelectOption } from "../../../lib/api-types";
import { salesEmployedCodes, salesLevelCodes, salesReceivingCodes, salesStatusCodes } from "../../../lib/codes";
import type { Translate } from "../../../lib/i18n";
import { placeText } from "../../../lib/places";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** What the forms choose from. */
export interface SalespersonChoices {
  orgs: readonly SelectOption[];
  /** The organisation of the viewer; null for platform staff. */
  orgId: number | null;
  /** Whether the viewer moves people between teams: a team's own people do not. */
  moves: boolean;
}

/** A count with its limit. */
export const ofLimit = (used: number | null, limit: number | null, t: Translate) => `${used ?? 0} / ${limit ?? t("salesperson.noLimit")}`;

/** Cities, or that all are meant. */
export const citiesText = (cities: unknown, t: Translate) => placeText(cities, t) || t("salesperson.allCities");

export const salespersonFields: readonly Field<SalespersonRow>[] = [
  { key: "name", title: "salesperson.name" },
  { key: "subOrgName", title: "salesperson.subOrgName", link: toTeam },
  { key: "level", title: "salesperson.level", kind: "enum", labels: "SalesLevel", list: "hidden" },
  {
    key: "status",
    title: "salesperson.status",
    kind: "enum",
    labels: "SalesStatus",
    colors: { active: "green", away: "orange", left: "gray" },
  },
  { key: "receiving", title: "salesperson.receiving", kind: "flag" },
  {
    key: "held",
    title: "salesperson.held",
    kind: "count",
    sort: true,
    show: ({ id, held, privateCap }, t) => (
      <a className="ll-link" href={`/crm/clue?ownerId=${id}&state=open`}>
        {ofLimit(held, privateCap, t)}
      </a>
    ),
  },
  {
    key: "assignedToday",
    title: "salesperson.assignedToday",
    kind: "count",
    show: ({ assignedToday, dailyCap }, t) => ofLimit(assignedToday, dailyCap, t),
  },
  { key: "cities", title: "salesperson.cities", words: citiesText, list: "hidden" },
  { key: "weight", title: "salesperson.weight", kind: "count", list: "hidden" },
  { key: "orgName", title: "salesperson.orgName", link: toOrg },
  { key: "username", title: "salesperson.username", kind: "code", list: "hidden" },
  { key: "jobNo", title: "salesperson.jobNo", kind: "code", list: "hidden" },
  { key: "privateCap", title: "salesperson.privateCap", kind: "count", list: "hidden" },
  { key: "dailyCap", title: "salesperson.dailyCap", kind: "count", list: "hidden" },
  { key: "wechat", title: "salesperson.wechat", list: "hidden", copy: true },
  {
    key: "accountStatus",
    title: "salesperson.accountStatus",
    kind: "enum",
    labels: "AdminStatus",
    list: "hidden",
    colors: { enabled: "green", disabled: "gray", locked: "red" },
  },
  { key: "leftAt", title: "salesperson.leftAt", kind: "time", list: "hidden" },
  { key: "createdAt", title: "salesperson.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "salesperson.updatedAt", kind: "time", list: "hidden" },
];

export const salespersonFilters: readonly Filter[] = [
  { name: "keyword", label: "salesperson.keyword", kind: "text", placeholder: "salesperson.keywordHint" },
  { name: "status", label: "salesperson.status", kind: "select", options: { codes: salesStatusCodes, labels: "SalesStatus" } },
  { name: "subOrgId", label: "salesperson.subOrgName", kind: "select", options: { load: "teams", search: "/crm/subOrg/options" } },
  { name: "orgId", label: "salesperson.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "level", label: "salesperson.level", kind: "select", options: { codes: salesLevelCodes, labels: "SalesLevel" } },
  { name: "receiving", label: "salesperson.receiving", kind: "select", options: { codes: salesReceivingCodes, labels: "SalesReceiving" } },
  { name: "employed", label: "salesperson.employed", kind: "select", options: { codes: salesEmployedCodes, labels: "SalesEmployed" } },
];

/** Titles of keys that are in a salesperson's history and not in the row. */
export const salespersonTitles: FieldTitles = { handedOver: "salesperson.handedOver" };
