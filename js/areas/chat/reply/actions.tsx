/** What can be done with a reply, in the list and on the page of one. */
import type { ChatReplyRow, SelectOption, UseStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";

export const replyActions: readonly RowAction<ChatReplyRow>[] = [
  { label: "chatReply.editAction", point: "update", run: edit },
  { label: "chatReply.enable", point: "update", when: ({ status }) => status === "disabled", run: change("enabled") },
  { label: "chatReply.disable", point: "update", danger: true, when: ({ status }) => status === "enabled", run: change("disabled") },
  { label: "chatReply.delete", point: "delete", danger: true, run: remove },
];

/** Opens the form of a reply; of a new one without a row. */
export async function edit(row: ChatReplyRow | undefined, { t, open, reload }: List) {
  const [{ replyDialog }, groups] = await Promise.all([import("./form"), api.get<SelectOption[]>("/chat/group/options")]);
  if (await open<ChatReplyRow>((overlay) => replyDialog({ overlay, t, groups, row })))
    await reload(row ? "chatReply.saved" : "chatReply.created");
}

function change(status: UseStatus) {
  return async ({ id, version, name }: ChatReplyRow, { t, confirm, reload }: List) => {
    if (status === "disabled") {
      const title = t("chatReply.disableTitle", { name });
      if (!(await confirm({ title, text: t("chatReply.disableText"), confirm: t("chatReply.disable"), danger: true }))) return;
    }
    await api.put("/chat/reply/status", { id, version, status });
    await reload(status === "enabled" ? "chatReply.enabled" : "chatReply.disabled");
  };
}

async function remove({ id, name }: ChatReplyRow, { t, confirm, removed }: List) {
  const title = t("chatReply.deleteTitle", { name });
  if (!(await confirm({ title, text: t("chatReply.deleteText"), confirm: t("chatReply.delete"), danger: true }))) return;
  await api.del(`/chat/reply/${id}`);
  await removed("chatReply.deleted");
}
