/** /chat/reply/:id: one reply, and what was changed. */
import type { ChatReplyRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { replyActions } from "./actions";
import { replyFields } from "./fields";

export default function ReplyDetail() {
  return (
    <DetailPage<ChatReplyRow>
      load="reply"
      list={{ href: "/chat/reply", title: "chatReply.title" }}
      points="chat/reply"
      title={({ name }) => name}
      status="status"
      facts={["kind", "groupName", "useCount"]}
      fields={replyFields}
      actions={replyActions}
      tabs={recordTabs(replyFields)}
    />
  );
}
