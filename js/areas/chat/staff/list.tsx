/** /chat/manage: the accounts that answer customers. */
import type { ChatStaffRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { edit, staffActions } from "./actions";
import { staffFields, staffFilters } from "./fields";
import { StaffTabs } from "./tabs";

export default function Staff() {
  return (
    <>
      <StaffTabs current="/chat/manage" />
      <ListPage<ChatStaffRow>
        title="chatStaff.title"
        empty="chatStaff.empty"
        api="/chat/manage"
        points="chat/manage"
        fields={staffFields}
        filters={staffFilters}
        href={({ id }) => `/chat/manage/${id}`}
        create={{ label: "chatStaff.create", run: (list) => edit(undefined, list) }}
        actions={staffActions}
      />
    </>
  );
}
