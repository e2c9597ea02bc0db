/** What can be done with an official account, in the list and on the page of one. */
import type { SelectOption, UseStatus, WechatRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { notify } from "../../../lib/toast";
import type { List, RowAction } from "../../../ui/actions";
import { tokenErrorText } from "./fields";

/** The server waits ten seconds for WeChat. */
const CHECK_MS = 20_000;

export const wechatActions: readonly RowAction<WechatRow>[] = [
  { label: "chatWechat.editAction", point: "update", run: edit },
  { label: "chatWechat.check", point: "update", run: check },
  { label: "chatWechat.enable", point: "update", when: ({ status }) => status === "disabled", run: change("enabled") },
  { label: "chatWechat.disable", point: "update", danger: true, when: ({ status }) => status === "enabled", run: change("disabled") },
  { label: "chatWechat.delete", point: "delete", danger: true, run: remove },
];

/** Opens the form of an account; of a new one without a row. */
export async function edit(row: WechatRow | undefined, { t, open, reload }: List) {
  const [{ wechatDialog }, groups] = await Promise.all([import("./form"), api.get<SelectOption[]>("/chat/group/options")]);
  if (await open<WechatRow>((overlay) => wechatDialog({ overlay, t, groups, row })))
    await reload(row ? "chatWechat.saved" : "chatWechat.created");
}

async function check({ id }: WechatRow, { t, reload }: List) {
  const { tokenError } = await api.post<WechatRow>("/chat/wechat/check", { id }, { patience: CHECK_MS });
  if (tokenError) notify("error", t("chatWechat.refused", { why: tokenErrorText(tokenError, t) }));
  await reload(tokenError ? undefined : "chatWechat.checked");
}

function change(status: UseStatus) {
  return async ({ id, version, name }: WechatRow, { t, confirm, reload }: List) => {
    if (status === "disabled") {
      const title = t("chatWechat.disableTitle", { name });
      if (!(await confirm({ title, text: t("chatWechat.disableText"), confirm: t("chatWechat.disable"), danger: true }))) return;
    }
    await api.put("/chat/wechat/status", { id, version, status });
    await reload(status === "enabled" ? "chatWechat.enabled" : "chatWechat.disabled");
  };
}

async function remove({ id, name }: WechatRow, { t, confirm, removed }: List) {
  const title = t("chatWechat.deleteTitle", { name });
  if (!(await confirm({ title, text: t("chatWechat.deleteText"), confirm: t("chatWechat.delete"), danger: true }))) return;
  await api.del(`/chat/wechat/${id}`);
  await removed("chatWechat.deleted");
}
