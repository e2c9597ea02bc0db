/** /chat/manage/:id: one member of the service staff, and what was changed. */
import type { ChatStaffRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { staffActions } from "./actions";
import { staffFields } from "./fields";

export default function StaffDetail() {
  return (
    <DetailPage<ChatStaffRow>
      load="staff"
      list={{ href: "/chat/manage", title: "chatStaff.title" }}
      points="chat/manage"
      title={({ nickname }) => nickname}
      status="status"
      facts={["adminName", "groupNames", "presence", "open"]}
      fields={staffFields}
      actions={staffActions}
      tabs={recordTabs(staffFields)}
    />
  );
}
