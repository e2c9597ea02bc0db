/** A blacklist entry's fields, its filters and its enumerations, for list, detail and history alike. */
import type { BlacklistKind, BlacklistRow, BlacklistScope, BlacklistSource, BlacklistStatus } from "../../lib/api-types";
import type { FieldTitles } from "../../ui/changes";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";

export const blacklistKinds: readonly BlacklistKind[] = ["phone", "id_no", "ip", "device"];
export const blacklistScopes: readonly BlacklistScope[] = ["global", "channel", "organisation"];
export const blacklistSources: readonly BlacklistSource[] = ["manual", "import", "complaint", "risk", "opt_out"];
const statuses: readonly BlacklistStatus[] = ["active", "lifted"];

export const blacklistFields: readonly Field<BlacklistRow>[] = [
  { key: "valueMask", title: "blacklist.value", kind: "code" },
  { key: "kind", title: "blacklist.kind", kind: "enum", labels: "blacklist.kind" },
  { key: "status", title: "blacklist.status", kind: "enum", labels: "blacklist.status", colors: { active: "red", lifted: "gray" } },
  {
    key: "scope", title: "blacklist.scope", kind: "enum", labels: "blacklist.scope",
    show: ({ scope, scopeName }, t) => (scopeName === null ? t(`blacklist.scope.${scope}`) : `${t(`blacklist.scope.${scope}`)} ${scopeName}`),
  },
  { key: "source", title: "blacklist.source", kind: "enum", labels: "blacklist.source" },
  { key: "reason", title: "blacklist.reason" },
  { key: "expiresAt", title: "blacklist.expiresAt", kind: "time", sort: true },
  { key: "hitCount", title: "blacklist.hitCount", kind: "count", sort: true },
  { key: "lastHitAt", title: "blacklist.lastHitAt", kind: "time", sort: true },
  { key: "liftReason", title: "blacklist.liftReason", list: "hidden" },
  { key: "creatorName", title: "blacklist.creator", list: "hidden" },
  { key: "createdAt", title: "blacklist.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "blacklist.updatedAt", kind: "time", list: "hidden" },
];

export const blacklistFilters: readonly Filter[] = [
  { name: "keyword", label: "blacklist.keyword", kind: "text", placeholder: "blacklist.keywordHint" },
  { name: "kind", label: "blacklist.kind", kind: "select", options: { codes: blacklistKinds, labels: "blacklist.kind" } },
  { name: "status", label: "blacklist.status", kind: "select", options: { codes: statuses, labels: "blacklist.status" } },
  { name: "scope", label: "blacklist.scope", kind: "select", options: { codes: blacklistScopes, labels: "blacklist.scope" } },
  { name: "source", label: "blacklist.source", kind: "select", options: { codes: blacklistSources, labels: "blacklist.source" } },
  { name: "created", label: "blacklist.createdAt", kind: "days" },
];

/** Names of what an entry's history tells and its row does not show. */
export const blacklistTitles: FieldTitles = { value: "blacklist.value", scopeName: "blacklist.scopeName" };
