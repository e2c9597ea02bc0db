/** /user/black-list: the people who are not served, and everything that is done with the entries. */
import type { BlacklistRow, ImportReport } from "../../../lib/api-types";
import { useHasPoint } from "../../../lib/permissions";
import { type List, ListPage } from "../../../ui/list-page";
import { edit, rowActions } from "./actions";
import { useBlacklistChoices } from "./choices";
import { blacklistFields, blacklistFilters } from "./fields";

const addressOf = ({ id }: BlacklistRow) => `/user/black-list/${id}`;

export default function BlackList() {
  const choices = useBlacklistChoices();
  const mayView = useHasPoint(["user/black-list/view"]);
  return (
    <ListPage<BlacklistRow>
      title="blacklist.title"
      empty="blacklist.empty"
      api="/blacklist"
      points="user/black-list"
      fields={blacklistFields}
      filters={blacklistFilters}
      href={mayView ? addressOf : undefined}
      create={{ label: "blacklist.create", run: (list) => edit(undefined, list, choices) }}
      imports={importEntries}
      actions={rowActions(choices)}
    />
  );
}

async function importEntries({ t, open, reload }: List) {
  const { ImportDialog } = await import("../../../ui/import-dialog");
  const report = await open<ImportReport>((overlay) => (
    <ImportDialog
      overlay={overlay}
      title={t("blacklist.import")}
      hint={t("blacklist.importHint")}
      path="/blacklist/import"
      template="/blacklist/template"
    />
  ));
  if (report) await reload();
}
