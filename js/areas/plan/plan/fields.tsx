/** A plan's fields, its filters and its enumerations, for list, detail and history alike. */
import type { PlanNow, SelectOption } from "../../../lib/api-types";
import { deliverModeCodes, pauseReasonCodes, planStatusCodes, saleModeCodes } from "../../../lib/codes";
import { EMPTY, money } from "../../../lib/format";
import { placeText } from "../../../lib/places";
import { whyNot } from "../../../lib/plan-holds";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toProduct, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { cityFilter } from "../../../ui/place-select";
import { planStatusColors } from "../../../ui/plan-status-colors";
import { withTestTag } from "../../../ui/test-tag";
import { Usage } from "../../../ui/usage";
import { reviewers } from "../../../ui/waits-for";

/** What the form chooses from. */
export interface PlanChoices {
  orgs: readonly SelectOption[];
  channels: readonly SelectOption[];
}

export const planFields: readonly Field<PlanNow>[] = [
  { key: "name", title: "plan.name", sort: true, show: ({ name, test }, t) => withTestTag(name, test, t) },
  { key: "no", title: "plan.no", kind: "code", sort: true, copy: true, list: "hidden" },
  { key: "orgName", title: "plan.org", short: true, link: toOrg },
  { key: "subOrgName", title: "plan.subOrg", list: "hidden", link: toTeam },
  { key: "productName", title: "plan.product", list: "hidden", link: toProduct },
  {
    key: "status",
    title: "plan.status",
    kind: "enum",
    labels: "PlanStatus",
    sort: true,
    colors: planStatusColors,
  },
  {
    key: "holds",
    title: "plan.holds",
    short: true,
    show: (row, t) => (row.status === "pending" && row.decision ? reviewers(row.decision, t) : whyNot(row, t) || EMPTY),
  },
  {
    // The makers of the open step, who may not decide on it.
    key: "decision",
    title: "plan.waits",
    file: false,
    list: "hidden",
    show: ({ decision, change, status }, t) => {
      if (!decision || (status !== "pending" && !change)) return EMPTY;
      const names = { names: decision.makerNames };
      return change ? reviewers(decision, t, t("plan.changeWaits", names)) : reviewers(decision, t);
    },
  },
  { key: "priceCents", title: "plan.price", kind: "money", sort: true },
  { key: "usage", title: "plan.usage", file: false, show: ({ usage }) => (usage.length === 0 ? EMPTY : <Usage usage={usage} />) },
  { key: "funds", title: "plan.available", kind: "money", file: false, show: ({ funds }) => money(funds.availableCents) },
  { key: "methodPriority", title: "plan.methodPriority", kind: "count", sort: true, list: "hidden" },
  { key: "deliverMode", title: "plan.deliverMode", kind: "enum", labels: "DeliverMode", list: "hidden" },
  {
    key: "saleMode",
    title: "plan.saleMode",
    kind: "enum",
    labels: "SaleMode",
    list: "hidden",
    show: ({ saleMode, maxBuyers }, t) => (saleMode === "shared" ? t("plan.sharedBy", { count: maxBuyers }) : t("SaleMode.exclusive")),
  },
  { key: "weight", title: "plan.weight", kind: "count", list: "hidden" },
  { key: "exposureWeight", title: "plan.exposureWeight", kind: "count", list: "hidden" },
  { key: "caps", title: "plan.caps", kind: "caps", list: "never" },
  { key: "priceRules", title: "plan.priceRules", kind: "prices", list: "never" },
  { key: "ruleSet", title: "plan.ruleSet", kind: "rules", list: "never" },
  { key: "schedule", title: "plan.schedule", kind: "schedule", list: "never" },
  { key: "outOfSchedule", title: "plan.outOfSchedule", kind: "enum", labels: "OutOfSchedule", list: "never" },
  { key: "cities", title: "plan.cities", list: "hidden", words: (cities, t) => placeText(cities, t) || t("plan.anywhere") },
  { key: "dedupDays", title: "plan.dedupDays", kind: "count", list: "hidden" },
  { key: "matchRequired", title: "plan.matchRequired", kind: "flag", list: "hidden" },
  { key: "startsOn", title: "plan.startsOn", list: "hidden" },
  { key: "endsOn", title: "plan.endsOn", sort: true, list: "hidden" },
  { key: "ownPriceLeastCents", title: "plan.ownPriceLeast", kind: "money", list: "never" },
  { key: "ownPriceMostCents", title: "plan.ownPriceMost", kind: "money", list: "never" },
  { key: "ownDayMost", title: "plan.ownDayMost", kind: "count", list: "never" },
  { key: "ownHours", title: "plan.ownHours", kind: "flag", list: "never", show: ({ ownHours }, t) => (ownHours ? t("ui.yes") : EMPTY) },
  { key: "ownCities", title: "plan.ownCities", kind: "flag", list: "never", show: ({ ownCities }, t) => (ownCities ? t("ui.yes") : EMPTY) },
  { key: "ownPause", title: "plan.ownPause", kind: "flag", list: "never", show: ({ ownPause }, t) => (ownPause ? t("ui.yes") : EMPTY) },
  { key: "remark", title: "plan.remark", list: "hidden" },
  { key: "createdAt", title: "plan.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "plan.updatedAt", kind: "time", sort: true, list: "hidden" },
];

export const planFilters: readonly Filter[] = [
  { name: "keyword", label: "plan.keyword", kind: "text", placeholder: "plan.keywordHint" },
  { name: "orgId", label: "plan.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "subOrgId", label: "plan.subOrg", kind: "select", options: { load: "teams" } },
  { name: "productId", label: "plan.product", kind: "select", options: { load: "products", search: "/product/options" } },
  { name: "channelId", label: "plan.acceptsChannel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "city", label: "plan.acceptsCity", kind: "select", options: { local: cityFilter } },
  { name: "status", label: "plan.status", kind: "select", options: { codes: planStatusCodes, labels: "PlanStatus" } },
  { name: "awaits", label: "plan.awaits", kind: "select", options: { codes: ["decision"], labels: "plan.awaits" } },
  { name: "pauseReason", label: "plan.pauseReason", kind: "select", options: { codes: pauseReasonCodes, labels: "PauseReason" } },
  { name: "capsFull", label: "plan.capsFull", kind: "select", options: { codes: ["yes"], labels: "plan.capsFull" } },
  { name: "stoppedBy", label: "plan.holds", kind: "select", options: { codes: ["organisation", "licence"], labels: "plan.hold" } },
  { name: "deliverMode", label: "plan.deliverMode", kind: "select", options: { codes: deliverModeCodes, labels: "DeliverMode" } },
  { name: "saleMode", label: "plan.saleMode", kind: "select", options: { codes: saleModeCodes, labels: "SaleMode" } },
  { name: "created", label: "plan.createdAt", kind: "days" },
];

/** Fields that are no terms: name and remark of an approved plan change at once; the program sets the others. */
const otherFields = ["no", "name", "orgName", "status", "holds", "decision", "usage", "funds", "remark", "createdAt", "updatedAt"];

/** The fields of terms: those of an approved plan change by a decision. */
export const termFields: readonly Field<PlanNow>[] = [
  ...planFields.filter(({ key }) => !otherFields.includes(key)),
  { key: "maxBuyers", title: "plan.maxBuyers", kind: "count" },
  { key: "channelAllow", title: "plan.channelAllow", kind: "lines" },
  { key: "channelDeny", title: "plan.channelDeny", kind: "lines" },
];

/** The same fields, in which the channels are names; one that is not among `channels` is shown by its number. */
export function withChannelNames(fields: readonly Field<PlanNow>[], channels: readonly SelectOption[]): readonly Field<PlanNow>[] {
  return fields.map((field): Field<PlanNow> => {
    const { key } = field;
    if (key !== "channelAllow" && key !== "channelDeny") return field;
    const named = (id: number) => channels.find(({ value }) => value === id)?.label ?? `#${id}`;
    return { ...field, show: (row, t) => row[key].map(named).join(t("ui.comma")) || EMPTY };
  });
}

/** Fields of a plan's history besides its own: who paused it, and the decision on a change of its terms. */
export const planHistoryFields: readonly Field<{ verdict: string; pausedByOrg: boolean }>[] = [
  { key: "pausedByOrg", title: "plan.pausedByOrg", kind: "flag" },
  { key: "verdict", title: "plan.verdict", kind: "enum", labels: "plan.verdict" },
];

/** Titles of keys that are in a plan's history and not in its list. */
export const planTitles: FieldTitles = {
  verdictNote: "plan.verdictNote",
  pauseReason: "plan.pauseReason",
  rejectNote: "plan.rejectNote",
  maxBuyers: "plan.maxBuyers",
  subOrgId: "plan.subOrg",
  productId: "plan.product",
  channelAllow: "plan.channelAllow",
  channelDeny: "plan.channelDeny",
};
