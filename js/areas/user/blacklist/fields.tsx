/** A blacklist entry's fields and filters, for list, detail, history and audit trail. */
import type { BlacklistRow, SelectOption } from "../../../lib/api-types";
import { blacklistKindCodes, blacklistScopeCodes, blacklistSourceCodes, blacklistStatusCodes } from "../../../lib/codes";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** What the form chooses from. */
export interface BlacklistChoices {
  channels: readonly SelectOption[];
  orgs: readonly SelectOption[];
  /** Whether the viewer may make entries that apply everywhere; staff of an organisation make entries for it only. */
  everywhere: boolean;
}

export const blacklistFields: readonly Field<BlacklistRow>[] = [
  { key: "valueMask", title: "blacklist.valueMask", kind: "code" },
  { key: "kind", title: "blacklist.kind", kind: "enum", labels: "BlacklistKind" },
  { key: "status", title: "blacklist.status", kind: "enum", labels: "BlacklistStatus", colors: { active: "red", lifted: "gray" } },
  {
    key: "scope",
    title: "blacklist.scope",
    kind: "enum",
    labels: "BlacklistScope",
    show: ({ scope, scopeName }, t) => (scopeName === null ? t(`BlacklistScope.${scope}`) : `${t(`BlacklistScope.${scope}`)} ${scopeName}`),
  },
  { key: "source", title: "blacklist.source", kind: "enum", labels: "BlacklistSource" },
  { key: "reason", title: "blacklist.reason" },
  { key: "expiresAt", title: "blacklist.expiresAt", kind: "time", sort: true },
  { key: "hitCount", title: "blacklist.hitCount", kind: "count", sort: true },
  { key: "lastHitAt", title: "blacklist.lastHitAt", kind: "time", sort: true },
  { key: "liftReason", title: "blacklist.liftReason", list: "hidden" },
  { key: "creatorName", title: "blacklist.creatorName", list: "hidden" },
  { key: "createdAt", title: "blacklist.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "blacklist.updatedAt", kind: "time", list: "hidden" },
];

export const blacklistFilters: readonly Filter[] = [
  { name: "keyword", label: "blacklist.keyword", kind: "text", placeholder: "blacklist.keywordHint" },
  { name: "kind", label: "blacklist.kind", kind: "select", options: { codes: blacklistKindCodes, labels: "BlacklistKind" } },
  { name: "status", label: "blacklist.status", kind: "select", options: { codes: blacklistStatusCodes, labels: "BlacklistStatus" } },
  { name: "scope", label: "blacklist.scope", kind: "select", options: { codes: blacklistScopeCodes, labels: "BlacklistScope" } },
  { name: "source", label: "blacklist.source", kind: "select", options: { codes: blacklistSourceCodes, labels: "BlacklistSource" } },
  { name: "created", label: "blacklist.createdAt", kind: "days" },
];

/** Titles of keys that are in an entry's history and not in its row. */
export const blacklistTitles: FieldTitles = { value: "blacklist.value", scopeName: "blacklist.scopeName" };
