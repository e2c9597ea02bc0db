/** /admin/notice: announcements to all users, a role or an organisation. */
import { api } from "../../../lib/api";
import type { NoticeRow } from "../../../lib/api-types";
import { useViewer } from "../../../lib/props";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { noticeFields, noticeFilters } from "./fields";

export default function Notices() {
  const orgId = useViewer()?.orgId ?? null;
  return (
    <ListPage
      title="notice.title"
      empty="notice.empty"
      api="/notice"
      points="admin/notice"
      fields={noticeFields}
      filters={noticeFilters}
      create={{ label: "notice.create", run: (list) => create(list, orgId) }}
      actions={[
        { label: "notice.view", point: "list", run: view },
        {
          label: "notice.editAction",
          point: "update",
          when: ({ status }) => status !== "withdrawn",
          run: (row, list) => edit(row, list, orgId),
        },
        ...actions,
      ]}
    />
  );
}

const actions: readonly RowAction<NoticeRow>[] = [
  { label: "notice.withdraw", point: "delete", danger: true, when: ({ status }) => status === "published", run: withdraw },
  { label: "notice.delete", point: "delete", danger: true, when: ({ status }) => status === "scheduled", run: remove },
];

async function create({ t, open, reload }: List, orgId: number | null) {
  const { createNotice } = await import("./form");
  if (await open<NoticeRow>((overlay) => createNotice({ overlay, t, orgId }))) await reload("notice.created");
}

async function edit(row: NoticeRow, { t, open, reload }: List, orgId: number | null) {
  const { editNotice } = await import("./form");
  if (await open<NoticeRow>((overlay) => editNotice({ overlay, t, orgId, row }))) await reload("notice.saved");
}

async function view(row: NoticeRow, { open }: List) {
  const { DetailDrawer } = await import("../../../ui/detail-drawer");
  await open((overlay) => (
    <DetailDrawer
      overlay={overlay}
      title={row.title}
      row={row}
      fields={noticeFields}
      record={`/notice/${row.id}`}
      history={`/notice/history/${row.id}`}
    />
  ));
}

async function withdraw({ id, version, title: name }: NoticeRow, { t, confirm, reload }: List) {
  const title = t("notice.withdrawTitle", { name });
  if (!(await confirm({ title, text: t("notice.withdrawText"), confirm: t("notice.withdraw"), danger: true }))) return;
  await api.put("/notice/withdraw", { id, version });
  await reload("notice.withdrawn");
}

async function remove({ id, title: name }: NoticeRow, { t, confirm, reload }: List) {
  const title = t("notice.deleteTitle", { name });
  if (!(await confirm({ title, text: t("notice.deleteText"), confirm: t("notice.delete"), danger: true }))) return;
  await api.del(`/notice/${id}`);
  await reload("notice.deleted");
}
