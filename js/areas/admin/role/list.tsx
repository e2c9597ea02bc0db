/** /admin/role-list: the roles, what each may do and who has it. */
import type { RoleRow, StandardRole } from "../../../lib/api-types";
import { usePoints } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { useT } from "../../../lib/i18n";
import { useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import { ListPage } from "../../../ui/list-page";
import { addStandard, create, roleActions } from "./actions";
import { roleFields, roleFilters } from "./fields";

const addressOf = ({ id }: RoleRow) => `/admin/role-list/${id}`;

export default function RoleList() {
  const points = usePoints();
  const missing = useLoaded<StandardRole[]>("standard") ?? [];
  return (
    <>
      {missing.length > 0 && <Missing roles={missing} />}
      <ListPage
        title="role.title"
        empty="role.empty"
        api="/role"
        points="admin/role-list"
        fields={roleFields}
        filters={roleFilters}
        href={points.has("admin/role-list/view") ? addressOf : undefined}
        create={{ label: "role.create", run: (list) => create(list) }}
        actions={roleActions(points.has("admin/role-list/grant"))}
      />
    </>
  );
}

/** Offers the standard roles that the installation lacks. */
function Missing({ roles }: { roles: readonly StandardRole[] }) {
  const t = useT();
  const [list, act, overlays] = useActions("admin/role-list");
  return (
    <p className="ll-alert ll-alert-info">
      {t("role.someMissing", { count: roles.length })}
      <Button small onClick={() => act("role.addStandard", () => addStandard(list, roles))}>
        {t("role.addStandard")}
      </Button>
      {overlays}
    </p>
  );
}
