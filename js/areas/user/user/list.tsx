/** /user/list: the applicants, and what became of each. */
import type { ImportReport, ListedUser, UserRow } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { type List, ListPage } from "../../../ui/list-page";
import { userActions } from "./actions";
import { fieldsWithReason, filtersWithReason, userFields, userFilters } from "./fields";

const addressOf = ({ id }: Pick<UserRow, "id">) => `/user/list/${id}`;

export default function UserList() {
  useFieldChoices();
  const mayView = useHasPoint(["user/list/view"]);
  const maySeeMatches = useHasPoint(["user/match-list/list"]);
  return (
    <ListPage<ListedUser>
      title="user.title"
      empty="user.empty"
      api="/user"
      points="user/list"
      fields={maySeeMatches ? fieldsWithReason : userFields}
      filters={maySeeMatches ? filtersWithReason : userFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "user.create", href: "/user/list/new" }}
      imports={importUsers}
      actions={userActions}
    />
  );
}

async function importUsers({ t, open, reload }: List) {
  const { ImportDialog } = await import("../../../ui/import-dialog");
  const report = await open<ImportReport>((overlay) => (
    <ImportDialog
      overlay={overlay}
      title={t("user.import")}
      hint={t("user.importHint")}
      path="/user/import"
      template="/user/template"
      rows={10_000}
    />
  ));
  if (report) await reload();
}
