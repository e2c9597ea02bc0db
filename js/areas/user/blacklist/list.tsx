/** /user/black-list: the people who are not served, and everything that is done with the entries. */
import type { BlacklistRow, ImportReport, RevealedBlacklist, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLoaded, useViewer } from "../../../lib/props";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { blacklistFields, blacklistFilters, blacklistTitles, type BlacklistChoices } from "./fields";

export default function BlackList() {
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  // Only viewers with the widest scope change entries that apply everywhere.
  const everywhere = useViewer()?.scope === "all";
  const choices: BlacklistChoices = { channels, orgs, everywhere };
  const changeable = ({ scope }: BlacklistRow) => everywhere || scope !== "global";
  return (
    <ListPage
      title="blacklist.title"
      empty="blacklist.empty"
      api="/blacklist"
      points="user/black-list"
      fields={blacklistFields}
      filters={blacklistFilters}
      create={{ label: "blacklist.create", run: (list) => edit(undefined, list, choices) }}
      imports={importEntries}
      actions={[
        { label: "blacklist.view", point: "view", run: (row, list) => view(row, changeable(row), list) },
        { label: "blacklist.editAction", point: "update", when: changeable, run: (row, list) => edit(row, list, choices) },
        ...statusActions.map((action) => ({ ...action, when: (row: BlacklistRow) => changeable(row) && action.when(row) })),
        { label: "blacklist.delete", point: "delete", danger: true, when: changeable, run: remove },
      ]}
    />
  );
}

const statusActions: readonly (RowAction<BlacklistRow> & { when: (row: BlacklistRow) => boolean })[] = [
  { label: "blacklist.lift", point: "status", danger: true, when: ({ status }) => status === "active", run: lift },
  { label: "blacklist.putBack", point: "status", when: ({ status }) => status === "lifted", run: putBack },
];

async function edit(row: BlacklistRow | undefined, { t, open, reload }: List, choices: BlacklistChoices) {
  const { blacklistDialog } = await import("./form");
  if (await open<BlacklistRow>((overlay) => blacklistDialog({ overlay, t, choices, row })))
    await reload(row ? "blacklist.saved" : "blacklist.created");
}

async function view(row: BlacklistRow, changeable: boolean, { open, can }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  const valueMask = async () => (await api.get<RevealedBlacklist>(`/blacklist/reveal/${row.id}`)).value;
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={row.valueMask}
      row={row}
      fields={blacklistFields}
      record={`/blacklist/${row.id}`}
      history={`/blacklist/history/${row.id}`}
      titles={blacklistTitles}
      reveals={changeable && can("reveal") ? { valueMask } : undefined}
    />
  ));
}

async function lift(row: BlacklistRow, { t, open, reload }: List) {
  const { liftDialog } = await import("./form");
  if (await open<BlacklistRow>((overlay) => liftDialog({ overlay, t, row }))) await reload("blacklist.lifted");
}

async function putBack({ id, version, valueMask }: BlacklistRow, { t, confirm, reload }: List) {
  const title = t("blacklist.putBackTitle", { value: valueMask });
  if (!(await confirm({ title, text: t("blacklist.putBackText"), confirm: t("blacklist.putBack") }))) return;
  await api.put("/blacklist/status", { id, version, status: "active" });
  await reload("blacklist.isBack");
}

async function remove({ id, valueMask }: BlacklistRow, { t, confirm, reload }: List) {
  const title = t("blacklist.deleteTitle", { value: valueMask });
  if (!(await confirm({ title, text: t("blacklist.deleteText"), confirm: t("blacklist.delete"), danger: true }))) return;
  await api.del(`/blacklist/${id}`);
  await reload("blacklist.deleted");
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
