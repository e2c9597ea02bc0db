/** A role in full: what it may do, and who has it. */
import type { MenuNode, RoleHolder, RoleRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useAnswer } from "../../../ui/answer";
import { DetailDrawer } from "../../../ui/detail-drawer";
import type { Overlay } from "../../../ui/overlay";
import { roleFields, roleTitles } from "./fields";
import { RolePoints } from "./points";

interface RoleDrawerProps {
  overlay: Overlay;
  row: RoleRow;
  /** Whether the viewer may open the list of accounts, which shows all holders of the role. */
  listsAccounts: boolean;
}

export function RoleDrawer({ overlay, row, listsAccounts }: RoleDrawerProps) {
  const t = useT();
  return (
    <DetailDrawer
      overlay={overlay}
      title={row.label}
      row={row}
      fields={roleFields}
      record={`/role/${row.id}`}
      history={`/role/history/${row.id}`}
      titles={roleTitles}
    >
      <h3 className="ll-details-title">{t("role.menuIds")}</h3>
      <Permissions id={row.id} />
      <h3 className="ll-details-title">{t("role.holders")}</h3>
      <Holders row={row} listsAccounts={listsAccounts} />
    </DetailDrawer>
  );
}

/** The screens that a role opens, and its permissions on each. */
function Permissions({ id }: { id: number }) {
  const t = useT();
  const tree = useAnswer<MenuNode[]>(`/role/menu/${id}`);
  return tree ? <RolePoints menu={tree} /> : <p className="ll-quiet">{t("ui.loading")}</p>;
}

/** The accounts that hold a role. */
function Holders({ row, listsAccounts }: Pick<RoleDrawerProps, "row" | "listsAccounts">) {
  const t = useT();
  const holders = useAnswer<RoleHolder[]>(`/role/holders/${row.id}`);
  if (!holders) return <p className="ll-quiet">{t("ui.loading")}</p>;
  if (holders.length === 0) return <p className="ll-quiet">{t("role.noHolders")}</p>;
  return (
    <>
      <ul className="ll-names">
        {holders.map(({ id, username, realName, orgName }) => (
          <li key={id}>
            {realName} <span className="ll-quiet">{orgName === null ? username : `${username} · ${orgName}`}</span>
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
