/** What can be done with a member of the service staff, in the list and on the page of one. */
import type { ChatStaffRow, SelectOption, UseStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";

export const staffActions: readonly RowAction<ChatStaffRow>[] = [
  { label: "chatStaff.editAction", point: "update", run: edit },
  { label: "chatStaff.enable", point: "update", when: ({ status }) => status === "disabled", run: change("enabled") },
  { label: "chatStaff.disable", point: "update", danger: true, when: ({ status }) => status === "enabled", run: change("disabled") },
  { label: "chatStaff.delete", point: "delete", danger: true, run: remove },
];

/** Opens the form of a member of the staff; of a new one without a row. */
export async function edit(row: ChatStaffRow | undefined, { t, open, reload }: List) {
  const [{ staffDialog }, groups, accounts] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>("/chat/group/options"),
    row ? [] : api.get<SelectOption[]>("/chat/manage/accounts"),
  ]);
  if (await open<ChatStaffRow>((overlay) => staffDialog({ overlay, t, groups, accounts, row })))
    await reload(row ? "chatStaff.saved" : "chatStaff.created");
}

function change(status: UseStatus) {
  return async ({ id, version, nickname: name }: ChatStaffRow, { t, confirm, reload }: List) => {
    if (status === "disabled") {
      const title = t("chatStaff.disableTitle", { name });
      if (!(await confirm({ title, text: t("chatStaff.disableText"), confirm: t("chatStaff.disable"), danger: true }))) return;
    }
    await api.put("/chat/manage/status", { id, version, status });
    await reload(status === "enabled" ? "chatStaff.enabled" : "chatStaff.disabled");
  };
}

async function remove({ id, nickname: name }: ChatStaffRow, { t, confirm, removed }: List) {
  const title = t("chatStaff.deleteTitle", { name });
  if (!(await confirm({ title, text: t("chatStaff.deleteText"), confirm: t("chatStaff.delete"), danger: true }))) return;
  await api.del(`/chat/manage/${id}`);
  await removed("chatStaff.deleted");
}
