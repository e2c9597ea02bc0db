/** /admin/notice: announcements to all users, a role or an organisation. */
import type { NoticeRow } from "../../../lib/api-types";
import { useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { create, noticeActions } from "./actions";
import { noticeFields, noticeFilters } from "./fields";

const addressOf = ({ id }: NoticeRow) => `/admin/notice/${id}`;

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
      href={addressOf}
      create={{ label: "notice.create", run: (list) => create(list, orgId) }}
      actions={noticeActions(orgId)}
    />
  );
}
