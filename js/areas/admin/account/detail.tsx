/** /admin/list/:id: one account: whether its person can log in, what it may do, its last logins and what was changed. */
import { Fragment } from "react";

import type { AdminRow, HeldRole, LoginRow, RevealedPhone } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { EMPTY, time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded, usePageData } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { type Field, labelOf } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { EnumTag } from "../../../ui/tag";
import { LoadedTimeline } from "../../../ui/timeline";
import { loginResultColors } from "../login-log/colors";
import { roleStatusColors } from "../role/fields";
import { RolePoints } from "../role/points";
import { adminActions, useAdminChoices } from "./actions";
import { adminFields } from "./fields";
import { stateOf } from "./state";
import { accountTitles } from "./trail";

/** Names of other records link to their pages. */
const linkedFields = adminFields.map((field): Field<AdminRow> => {
  switch (field.key) {
    case "roles":
      return { ...field, show: ({ roles }) => <RoleLinks roles={roles} /> };
    case "orgName":
      return {
        ...field,
        show: ({ orgId, orgName }, t) =>
          orgId === null ? (
            t("admin.platform")
          ) : (
            <RecordLink href={`/org/list/${orgId}`} point="org/list/view" name={orgName ?? `#${orgId}`} />
          ),
      };
    case "subOrgName":
      return {
        ...field,
        show: ({ orgId, subOrgId, subOrgName }, t) =>
          subOrgId === null ? (
            orgId === null ? (
              EMPTY
            ) : (
              t("admin.noSubOrg")
            )
          ) : (
            <RecordLink href={`/crm/team/${subOrgId}`} point="crm/saleman/list" name={subOrgName ?? `#${subOrgId}`} />
          ),
      };
    default:
      return field;
  }
});

/** The names of the roles, each a link to its page. */
function RoleLinks({ roles }: Pick<AdminRow, "roles">) {
  const t = useT();
  // A role that opens more than the viewer's own has no page for the viewer, and is not among these.
  const held = useLoaded<HeldRole[]>("held") ?? [];
  if (roles.length === 0) return EMPTY;
  return roles.map(({ id, name }, i) => (
    <Fragment key={id}>
      {i > 0 && t("ui.comma")}
      {held.some((role) => role.id === id) ? <RoleLink id={id} name={name} /> : name}
    </Fragment>
  ));
}

const RoleLink = ({ id, name }: { id: number; name: string }) => (
  <RecordLink href={`/admin/role-list/${id}`} point="admin/role-list/view" name={name} />
);

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["realName", "status"];

const detailFields = linkedFields.filter(({ key }) => !HEAD.includes(key));

export default function AdminDetail() {
  return (
    <DetailPage<AdminRow>
      load="admin"
      list={{ href: "/admin/list", title: "admin.title" }}
      points="admin/list"
      title={({ realName, username }) => realName || username}
      status="status"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t)}</p>}
      facts={["username", "roles", "orgName", "lastLoginAt", "secondFactor"]}
      fields={linkedFields}
      actions={adminActions(useAdminChoices())}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Profile row={row} /> },
        { name: "rights", label: "admin.rights", point: "admin/role-list/view", show: () => <Rights /> },
        { name: "logins", label: "admin.logins", point: "admin/login-log/list", show: (row) => <Logins row={row} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={adminFields} titles={accountTitles} />,
        },
      ]}
    />
  );
}

function Profile({ row }: { row: AdminRow }) {
  const mayReveal = useHasPoint(["admin/list/reveal"]);
  const phoneMask = async () => (await api.get<RevealedPhone>(`/admin/reveal/${row.id}`)).phone;
  return <Description wide fields={detailFields} row={row} reveals={mayReveal ? { phoneMask } : undefined} />;
}

/** What each role of the account opens; a person acts in one of them at a time. */
function Rights() {
  const t = useT();
  const roles = useLoaded<HeldRole[]>("held") ?? [];
  if (roles.length === 0) return <p className="ll-quiet">{t("admin.noRights")}</p>;
  return roles.map(({ id, label, status, dataScope, menu }) => (
    <section key={id}>
      <h2 className="ll-details-title">
        <RoleLink id={id} name={label} /> <EnumTag labels="RoleStatus" value={status} colors={roleStatusColors} />
      </h2>
      <p className="ll-hint">
        {labelOf(t, "role.scope", dataScope)} · {labelOf(t, "role.scopeText", dataScope)}
      </p>
      <RolePoints menu={menu} />
    </section>
  ));
}

/** The last attempts to log in, and the log of all of them. */
function Logins({ row }: { row: AdminRow }) {
  const t = useT();
  const { data, desc } = usePageData<LoginRow[] | null>("logins");
  if (data === null) return <p className="ll-quiet">{desc}</p>;
  if (data.length === 0) return <p className="ll-quiet">{t("admin.state.never")}</p>;
  return (
    <>
      <div className="ll-table-box" role="group" aria-label={t("admin.logins")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("logs.at")}</th>
              <th scope="col">{t("logs.result")}</th>
              <th scope="col">{t("logs.ip")}</th>
              <th scope="col">{t("logs.browser")}</th>
              <th scope="col">{t("logs.os")}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ id, at, result, ip, browser, os }) => (
              <tr key={id}>
                <th scope="row">{time(at)}</th>
                <td>
                  <EnumTag labels="LoginResult" value={result} colors={loginResultColors} />
                </td>
                <td className="ll-mono">{ip}</td>
                <td>{browser}</td>
                <td>{os}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="ll-toolbar mt-4">
        <a className={buttonClass()} href={`/admin/login-log?keyword=${encodeURIComponent(row.username)}`}>
          {t("admin.allLogins")}
        </a>
      </div>
    </>
  );
}
