/** What can be done with announcements, in the list and on the page of one. */
import { api } from "../../../lib/api";
import type { NoticeRow } from "../../../lib/api-types";
import type { List, RowAction } from "../../../ui/actions";

/** `orgId`: the viewer's organisation; null for the platform's staff. */
export function noticeActions(orgId: number | null): readonly RowAction<NoticeRow>[] {
  return [
    {
      label: "notice.editAction",
      point: "update",
      when: ({ status }) => status !== "withdrawn",
      run: (row, list) => edit(row, list, orgId),
    },
    ...others,
  ];
}

const others: readonly RowAction<NoticeRow>[] = [
  { label: "notice.withdraw", point: "delete", danger: true, when: ({ status }) => status === "published", run: withdraw },
  { label: "notice.delete", point: "delete", danger: true, when: ({ status }) => status === "scheduled", run: remove },
];

export async function create({ t, open, reload }: List, orgId: number | null) {
  const { createNotice } = await import("./form");
  if (await open<NoticeRow>((overlay) => createNotice({ overlay, t, orgId }))) await reload("notice.created");
}

async function edit(row: NoticeRow, { t, open, reload }: List, orgId: number | null) {
  const { editNotice } = await import("./form");
  if (await open<NoticeRow>((overlay) => editNotice({ overlay, t, orgId, row }))) await reload("notice.saved");
}

async function withdraw({ id, version, title: name }: NoticeRow, { t, confirm, reload }: List) {
  const title = t("notice.withdrawTitle", { name });
  if (!(await confirm({ title, text: t("notice.withdrawText"), confirm: t("notice.withdraw"), danger: true }))) return;
  await api.put("/notice/withdraw", { id, version });
  await reload("notice.withdrawn");
}

async function remove({ id, title: name }: NoticeRow, { t, confirm, removed }: List) {
  const title = t("notice.deleteTitle", { name });
  if (!(await confirm({ title, text: t("notice.deleteText"), confirm: t("notice.delete"), danger: true }))) return;
  await api.del(`/notice/${id}`);
  await removed("notice.deleted");
}
