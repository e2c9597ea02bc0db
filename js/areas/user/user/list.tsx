/** /user/list: the applicants, and what became of each. */
import type { AgreementOption, ChannelOption, ImportReport, ListedUser, SelectOption, UserEntered, UserRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices, useFieldChoices } from "../../../lib/choices";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { type List, ListPage } from "../../../ui/list-page";
import { userActions } from "./actions";
import { fieldsWithReason, filtersWithReason, userFields, userFilters } from "./fields";

const addressOf = ({ id }: Pick<UserRow, "id">) => `/user/list/${id}`;

export default function UserList() {
  useFieldChoices();
  const channels = useLoaded<ChannelOption[]>("channels") ?? [];
  const products = useLoaded<SelectOption[]>("products") ?? [];
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
      create={{ label: "user.create", run: (list) => enter(list, channels, products) }}
      imports={importUsers}
      actions={userActions}
    />
  );
}

/** Enters an applicant by hand, shows the result, and opens the applicant's page on request. */
async function enter(list: List, channels: readonly ChannelOption[], products: readonly SelectOption[]) {
  const { t, open, reload, can, go } = list;
  const [{ entryDialog, enteredDialog }, agreements] = await Promise.all([
    import("./form"),
    api.get<AgreementOption[]>("/agreement/options"),
    refreshChoices(),
  ]);
  const choices = { channels, products, agreements: agreements.filter(({ valid }) => valid) };
  const entered = await open<UserEntered>((overlay) => entryDialog({ overlay, t, choices }));
  if (!entered) return;
  await reload();
  const wanted = await open<boolean>((overlay) => enteredDialog({ overlay, entered, mayView: can("view") }));
  if (wanted) await go(addressOf(entered));
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
