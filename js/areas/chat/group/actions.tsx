/** What can be done with a service group, in the list and on the page of one. */
import type { ChatGroupRow, UseStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";

export const groupActions: readonly RowAction<ChatGroupRow>[] = [
  { label: "chatGroup.editAction", point: "update", run: edit },
  { label: "chatGroup.enable", point: "update", when: ({ status }) => status === "disabled", run: change("enabled") },
  { label: "chatGroup.disable", point: "update", danger: true, when: ({ status }) => status === "enabled", run: change("disabled") },
  { label: "chatGroup.delete", point: "delete", danger: true, run: remove },
];

/** Opens the form of a group; of a new one without a row. */
export async function edit(row: ChatGroupRow | undefined, { t, open, reload }: List) {
  const { groupDialog } = await import("./form");
  if (await open<ChatGroupRow>((overlay) => groupDialog({ overlay, t, row }))) await reload(row ? "chatGroup.saved" : "chatGroup.created");
}

function change(status: UseStatus) {
  return async ({ id, version, name }: ChatGroupRow, { t, confirm, reload }: List) => {
    if (status === "disabled") {
      const title = t("chatGroup.disableTitle", { name });
      if (!(await confirm({ title, text: t("chatGroup.disableText"), confirm: t("chatGroup.disable"), danger: true }))) return;
    }
    await api.put("/chat/group/status", { id, version, status });
    await reload(status === "enabled" ? "chatGroup.enabled" : "chatGroup.disabled");
  };
}

async function remove({ id, name }: ChatGroupRow, { t, confirm, removed }: List) {
  const title = t("chatGroup.deleteTitle", { name });
  if (!(await confirm({ title, text: t("chatGroup.deleteText"), confirm: t("chatGroup.delete"), danger: true }))) return;
  await api.del(`/chat/group/${id}`);
  await removed("chatGroup.deleted");
}
