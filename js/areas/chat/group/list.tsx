/** /chat/group: the groups of service staff, when they work and how conversations are shared out among them. */
import type { ChatGroupRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { edit, groupActions } from "./actions";
import { groupFields, groupFilters } from "./fields";

export default function Groups() {
  return (
    <ListPage<ChatGroupRow>
      title="chatGroup.title"
      empty="chatGroup.empty"
      api="/chat/group"
      points="chat/group"
      fields={groupFields}
      filters={groupFilters}
      href={({ id }) => `/chat/group/${id}`}
      create={{ label: "chatGroup.create", run: (list) => edit(undefined, list) }}
      actions={groupActions}
    />
  );
}
