/** /admin/role-list/:id: one role: whether it can be used and changed, what it may do, who has it and what was changed. */
import type { MenuNode, RoleDetail as Role, RoleHolder, RoleRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import type { RowAction } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { labelOf } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { LoadedTimeline } from "../../../ui/timeline";
import { roleActions } from "./actions";
import { roleFields, roleTitles } from "./fields";
import { RolePoints } from "./points";

export default function RoleDetail() {
  const grants = useHasPoint(["admin/role-list/grant"]);
  const menu = useLoaded<MenuNode[]>("menu") ?? [];
  return (
    <DetailPage<Role>
      load="role"
      list={{ href: "/admin/role-list", title: "role.title" }}
      points="admin/role-list"
      title={({ label }) => label}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["code", "dataScope", "accounts", "defaultPage"]}
      fields={roleFields}
      actions={roleActions(grants) as readonly RowAction<Role>[]}
      tabs={[
        { name: "points", label: "role.menuIds", show: () => <RolePoints menu={menu} /> },
        { name: "holders", label: "role.holders", show: (row) => <Holders row={row} /> },
        { name: "details", label: "ui.details", show: (row) => <Description<RoleRow> wide fields={roleFields} row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={roleFields} titles={roleTitles} /> },
      ]}
    />
  );
}

/** Whether the role can be used, which records it shows, and why the viewer cannot change it. */
function State({ row: { status, accounts, dataScope, builtin, editable } }: { row: Role }) {
  const t = useT();
  const changes = useHasPoint(["admin/role-list/update"]);
  return (
    <p className="mb-4">
      {t(`role.state.${status}`, { status: t(`RoleStatus.${status}`), count: accounts })}{" "}
      {t("role.state.scope", { scope: labelOf(t, "role.scopeText", dataScope) })}
      {!editable && builtin && ` ${t("role.state.builtin")}`}
      {!editable && !builtin && changes && ` ${t("role.state.wider")}`}
    </p>
  );
}

/** The first accounts that hold the role by name, and the list of all of them. */
function Holders({ row }: { row: Role }) {
  const t = useT();
  const listsAccounts = useHasPoint(["admin/list/list"]);
  const holders = useLoaded<RoleHolder[]>("holders") ?? [];
  if (holders.length === 0) return <p className="ll-quiet">{t("role.noHolders")}</p>;
  return (
    <>
      <ul className="ll-names">
        {holders.map(({ id, username, realName, orgName, status }) => (
          <li key={id}>
            <RecordLink href={`/admin/list/${id}`} point="admin/list/view" name={realName || username} />{" "}
            <span className="ll-quiet">
              {[username, orgName, status === "enabled" ? null : t(`AdminStatus.${status}`)].filter((text) => text !== null).join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      {listsAccounts && (
        <p>
          <a className="ll-link" href={`/admin/list?roleId=${row.id}`}>
            {t("role.allHolders", { count: row.accounts })}
          </a>
        </p>
      )}
    </>
  );
}
