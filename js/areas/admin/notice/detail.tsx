/** /admin/notice/:id: one announcement: who sees it and until when, its texts and what was changed. */
import type { NoticeRow } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import { useViewer } from "../../../lib/props";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { LoadedTimeline } from "../../../ui/timeline";
import { noticeActions } from "./actions";
import { noticeFields } from "./fields";
import { stateOf } from "./state";

/** Names of other records link to their pages. */
const linkedFields = noticeFields.map((field): Field<NoticeRow> => {
  switch (field.key) {
    case "audience":
      return { ...field, show: (row) => <Audience row={row} /> };
    case "senderName":
      return {
        ...field,
        show: ({ senderId, senderName }) =>
          senderId === null ? (
            EMPTY
          ) : (
            <RecordLink href={`/admin/list/${senderId}`} point="admin/list/view" name={senderName ?? `#${senderId}`} />
          ),
      };
    default:
      return field;
  }
});

/** The texts. */
const TEXTS: readonly string[] = ["content", "titleEn", "contentEn", "updatedAt"];

const textFields = linkedFields.filter(({ key }) => TEXTS.includes(key));

export default function NoticeDetail() {
  return (
    <DetailPage<NoticeRow>
      load="notice"
      list={{ href: "/admin/notice", title: "notice.title" }}
      points="admin/notice"
      title={({ title }) => title}
      status="status"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t)}</p>}
      facts={["scope", "audience", "publishAt", "expiresAt", "senderName"]}
      fields={linkedFields}
      actions={noticeActions(useViewer()?.orgId ?? null)}
      tabs={[
        { name: "text", label: "notice.content", show: (row) => <Description wide filled fields={textFields} row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={noticeFields} /> },
      ]}
    />
  );
}

/** The role or the organisation that sees it. */
function Audience({ row: { scope, scopeId, audience } }: { row: NoticeRow }) {
  if (scopeId === null || scope === "all") return EMPTY;
  const name = audience ?? `#${scopeId}`;
  return scope === "role" ? (
    <RecordLink href={`/admin/role-list/${scopeId}`} point="admin/role-list/view" name={name} />
  ) : (
    <RecordLink href={`/org/list/${scopeId}`} point="org/list/view" name={name} />
  );
}
