/** A question's fields, its filters and its enumerations. */
import type { MatchDirection, MatchRow } from "../../../lib/api-types";
import { matchStatusCodes } from "../../../lib/codes";
import { placeText } from "../../../lib/places";
import { type Field, toApplicant, toChannel, toOrg, toPlan } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import type { TagColors } from "../../../ui/tag";
import { testTag, withTestTag } from "../../../ui/test-tag";

const directions: readonly MatchDirection[] = ["inbound", "outbound", "round"];

export const matchStatusColors = {
  matched: "green",
  exists: "orange",
  not_qualified: "orange",
  no_plan: "gray",
  capped: "orange",
  timeout: "red",
  error: "red",
} as const satisfies TagColors;

export const matchFields: readonly Field<MatchRow>[] = [
  { key: "no", title: "match.no", kind: "code", copy: true },
  {
    key: "direction",
    title: "match.direction",
    list: "hidden",
    kind: "enum",
    labels: "match.direction",
    colors: { inbound: "blue", outbound: "purple", round: "gray" },
  },
  { key: "status", title: "match.status", kind: "enum", labels: "MatchStatus", colors: matchStatusColors },
  { key: "userNo", title: "match.user", kind: "code", copy: true, link: toApplicant },
  { key: "phoneMask", title: "match.phone", kind: "code", list: "hidden" },
  { key: "city", title: "match.city", words: placeText, list: "hidden" },
  { key: "channelName", title: "match.channel", link: toChannel, show: ({ channelName, test }, t) => withTestTag(channelName, test, t) },
  { key: "planName", title: "match.plan", link: toPlan },
  { key: "orgName", title: "match.org", short: true, link: toOrg },
  { key: "bidCents", title: "match.bid", kind: "money" },
  { key: "costMs", title: "match.took", kind: "count", list: "hidden" },
  { key: "test", title: "match.test", kind: "flag", list: "hidden", show: ({ test }, t) => testTag(test, t) },
  { key: "createdAt", title: "match.at", kind: "time", sort: true },
];

export const matchFilters: readonly Filter[] = [
  { name: "keyword", label: "match.keyword", kind: "text", placeholder: "match.keywordHint" },
  { name: "direction", label: "match.direction", kind: "select", options: { codes: directions, labels: "match.direction" } },
  { name: "status", label: "match.status", kind: "select", options: { codes: matchStatusCodes, labels: "MatchStatus" } },
  { name: "test", label: "match.test", kind: "select", options: { codes: ["no", "yes"], labels: "user.test" } },
  { name: "channelId", label: "match.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "orgId", label: "match.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "planId", label: "match.plan", kind: "select", options: { load: "plans", search: "/plan/options" } },
  { name: "created", label: "match.at", kind: "days" },
];
