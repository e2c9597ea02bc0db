/** /chat/reply: the replies that are sent automatically, and the quick ones that staff choose. */
import type { ChatReplyRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { edit, replyActions } from "./actions";
import { replyFields, replyFilters } from "./fields";

export default function Replies() {
  return (
    <ListPage<ChatReplyRow>
      title="chatReply.title"
      empty="chatReply.empty"
      api="/chat/reply"
      points="chat/reply"
      fields={replyFields}
      filters={replyFilters}
      href={({ id }) => `/chat/reply/${id}`}
      create={{ label: "chatReply.create", run: (list) => edit(undefined, list) }}
      actions={replyActions}
    />
  );
}
