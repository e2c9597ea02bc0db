/** An administrator's fields and filters, for list, detail and history alike. */
import type { AdminRow, SelectOption } from "../../../lib/api-types";
import { adminStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { type Field, toOrg, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** What the form chooses from. */
export interface AdminChoices {
  roles: readonly SelectOption[];
  orgs: readonly SelectOption[];
  /** The viewer's own organisation, the only one for which they make accounts; null for the platform's staff. */
  orgId: number | null;
}

export const adminFields: readonly Field<AdminRow>[] = [
  {
    key: "username",
    title: "admin.username",
    sort: true,
    copy: true,
    show: ({ username, builtin }, t) =>
      builtin ? (
        <>
          {username} <span className="ll-tag ll-tag-blue">{t("admin.builtin")}</span>
        </>
      ) : (
        username
      ),
  },
  { key: "realName", title: "admin.realName", sort: true },
  {
    key: "status",
    title: "admin.status",
    kind: "enum",
    labels: "AdminStatus",
    sort: true,
    colors: { enabled: "green", disabled: "gray", locked: "red" },
  },
  { key: "roles", title: "admin.roles", show: ({ roles }, t) => roles.map(({ name }) => name).join(t("ui.comma")) || EMPTY, short: true },
  { key: "orgName", title: "admin.org", link: toOrg, show: ({ orgName }, t) => orgName ?? t("admin.platform"), short: true },
  { key: "subOrgName", title: "admin.subOrg", list: "hidden", link: toTeam },
  { key: "phoneMask", title: "admin.phone", kind: "code" },
  { key: "email", title: "admin.email", copy: true, list: "hidden" },
  { key: "secondFactor", title: "admin.secondFactor", kind: "flag", list: "hidden" },
  { key: "mustChangePwd", title: "admin.mustChangePwd", kind: "flag", list: "hidden" },
  { key: "lastLoginAt", title: "admin.lastLoginAt", kind: "time", sort: true },
  { key: "lastLoginIp", title: "admin.lastLoginIp", kind: "code", copy: true, list: "hidden" },
  { key: "createdAt", title: "admin.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "admin.updatedAt", kind: "time", list: "hidden" },
];

export const adminFilters: readonly Filter[] = [
  { name: "keyword", label: "admin.keyword", kind: "text", placeholder: "admin.searchHint" },
  { name: "status", label: "admin.status", kind: "select", options: { codes: adminStatusCodes, labels: "AdminStatus" } },
  { name: "roleId", label: "admin.roles", kind: "select", options: { load: "roles" } },
  { name: "orgId", label: "admin.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "created", label: "admin.createdAt", kind: "days" },
];
