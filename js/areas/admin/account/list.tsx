/** /admin/list: the accounts of staff and of organisations' people. */
import type { AdminRow } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { ListPage } from "../../../ui/list-page";
import { adminActions, create, useAdminChoices } from "./actions";
import { adminFields, adminFilters } from "./fields";

const addressOf = ({ id }: AdminRow) => `/admin/list/${id}`;

export default function AdminList() {
  const choices = useAdminChoices();
  const mayView = useHasPoint(["admin/list/view"]);
  return (
    <ListPage
      title="admin.title"
      empty="admin.empty"
      api="/admin"
      points="admin/list"
      fields={adminFields}
      filters={adminFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "admin.create", run: (list) => create(list, choices) }}
      actions={adminActions(choices)}
    />
  );
}
