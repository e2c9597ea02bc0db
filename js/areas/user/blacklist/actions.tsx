/** What is done with a blacklist entry, in the list and on its own page. */
import type { BlacklistRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";
import type { BlacklistChoices } from "./fields";

/** In the list, where editing is most frequent. */
export const rowActions = (choices: BlacklistChoices): readonly RowAction<BlacklistRow>[] => [
  change(choices),
  ...statusOf(choices),
  removal(choices),
];

/** On the page of an entry, which begins with whether it is active. */
export const pageActions = (choices: BlacklistChoices): readonly RowAction<BlacklistRow>[] => [
  ...statusOf(choices),
  change(choices),
  removal(choices),
];

/** Whether the viewer may change an entry. */
export const mayChange = ({ scope }: Pick<BlacklistRow, "scope">, everywhere: boolean) => everywhere || scope !== "global";

const change = (choices: BlacklistChoices): RowAction<BlacklistRow> => ({
  label: "blacklist.editAction",
  point: "update",
  when: (row) => mayChange(row, choices.everywhere),
  run: (row, list) => edit(row, list, choices),
});

const statusOf = ({ everywhere }: BlacklistChoices): readonly RowAction<BlacklistRow>[] => [
  {
    label: "blacklist.lift",
    point: "status",
    danger: true,
    when: (row) => row.status === "active" && mayChange(row, everywhere),
    run: lift,
  },
  { label: "blacklist.putBack", point: "status", when: (row) => row.status === "lifted" && mayChange(row, everywhere), run: putBack },
];

const removal = ({ everywhere }: BlacklistChoices): RowAction<BlacklistRow> => ({
  label: "blacklist.delete",
  point: "delete",
  danger: true,
  when: (row) => mayChange(row, everywhere),
  run: remove,
});

export async function edit(row: BlacklistRow | undefined, { t, open, reload }: List, choices: BlacklistChoices) {
  const { blacklistDialog } = await import("./form");
  if (await open<BlacklistRow>((overlay) => blacklistDialog({ overlay, t, choices, row })))
    await reload(row ? "blacklist.saved" : "blacklist.created");
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

async function remove({ id, valueMask }: BlacklistRow, { t, confirm, removed }: List) {
  const title = t("blacklist.deleteTitle", { value: valueMask });
  if (!(await confirm({ title, text: t("blacklist.deleteText"), confirm: t("blacklist.delete"), danger: true }))) return;
  await api.del(`/blacklist/${id}`);
  await removed("blacklist.deleted");
}
