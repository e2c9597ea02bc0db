/** A role's fields and filters, for list, detail and history alike. */
import type { DataScope, RoleRow } from "../../../lib/api-types";
import { roleStatusCodes } from "../../../lib/codes";
import type { Field } from "../../../ui/field";
import type { FieldTitles } from "../../../ui/changes";
import type { Filter } from "../../../ui/list-filter";
import type { TagColors } from "../../../ui/tag-colors";

export const dataScopes: readonly DataScope[] = ["all", "own", "org", "sub_org", "self"];

export const roleStatusColors: TagColors = { enabled: "green", disabled: "gray" };

export const roleFields: readonly Field<RoleRow>[] = [
  {
    key: "code",
    title: "role.code",
    kind: "code",
    sort: true,
    copy: true,
    show: ({ code, builtin }, t) =>
      builtin ? (
        <>
          {code} <span className="ll-tag ll-tag-blue">{t("role.builtin")}</span>
        </>
      ) : (
        code
      ),
  },
  { key: "label", title: "role.label", detail: false },
  { key: "name", title: "role.name", sort: true, list: "hidden" },
  { key: "nameEn", title: "role.nameEn", list: "hidden" },
  {
    key: "status",
    title: "role.status",
    kind: "enum",
    labels: "RoleStatus",
    sort: true,
    colors: roleStatusColors,
  },
  {
    key: "dataScope",
    title: "role.dataScope",
    kind: "enum",
    labels: "role.scope",
    colors: { all: "purple", own: "blue", org: "cyan", sub_org: "cyan", self: "gray" },
  },
  { key: "accounts", title: "role.accounts", kind: "count" },
  { key: "defaultPage", title: "role.defaultRoute", show: ({ defaultPage }, t) => defaultPage ?? t("role.firstOfMenu") },
  { key: "sort", title: "role.sort", kind: "count", sort: true, list: "hidden" },
  { key: "createdAt", title: "role.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "role.updatedAt", kind: "time", sort: true },
];

/** Titles of keys that are in a role's history and not among its fields. */
export const roleTitles: FieldTitles = {
  granted: "role.granted",
  withdrawn: "role.withdrawn",
  copyOf: "role.copyOf",
  defaultRoute: "role.defaultRoute",
};

export const roleFilters: readonly Filter[] = [
  { name: "keyword", label: "role.keyword", kind: "text", placeholder: "role.keywordHint" },
  { name: "status", label: "role.status", kind: "select", options: { codes: roleStatusCodes, labels: "RoleStatus" } },
  { name: "dataScope", label: "role.dataScope", kind: "select", options: { codes: dataScopes, labels: "role.scope" } },
];
