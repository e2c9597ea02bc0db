/** /account/message/:id: one of one's own messages, and the record that it is about. */
import { useEffect } from "react";

import { api } from "../../../lib/api";
import type { MessageRow, Unread } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useReload } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description, reported } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { MessageStateTag } from "../../../shell/message-entry";
import { keepUnread } from "../../../shell/unread";

const headFields: readonly Field<MessageRow>[] = [
  {
    key: "type",
    title: "messages.types",
    kind: "enum",
    labels: "messages.type",
    colors: { message: "gray", notice: "blue", todo: "orange" },
  },
  { key: "time", title: "messages.time", kind: "time" },
  { key: "status", title: "messages.status", kind: "enum", labels: "messages.status" },
  {
    key: "messageType",
    title: "messages.state",
    show: ({ messageType }) => (messageType === null ? EMPTY : <MessageStateTag state={messageType} />),
  },
];

const textFields: readonly Field<MessageRow>[] = [{ key: "content", title: "messages.content" }];

export default function MessageDetail() {
  return (
    <DetailPage<MessageRow>
      load="message"
      list={{ href: "/account/message", title: "messages.all" }}
      points="account/message"
      title={({ title }) => title}
      status="type"
      sentence={({ type, subTitle }, t) => <p className="mb-4">{type === "todo" ? t("messages.todoNote") : subTitle}</p>}
      facts={["time", "status", "messageType"]}
      fields={headFields}
      tabs={[{ name: "text", label: "messages.content", show: (row) => <Message row={row} /> }]}
    />
  );
}

/** The text and the link; a message that is shown in a browser with scripts is read. */
function Message({ row }: { row: MessageRow }) {
  const t = useT();
  const reload = useReload();
  const { id, status } = row;
  useEffect(() => {
    if (status !== 0) return;
    api
      .post<Unread>("/message/read", { ids: [id] }, { quiet: true })
      .then((unread) => {
        keepUnread(unread);
        return reload();
      })
      .catch(reported);
  }, [id, status, reload]);
  return (
    <>
      <Description wide fields={textFields} row={row} />
      {row.link !== null && (
        <div className="ll-toolbar mt-4">
          <a className={buttonClass("primary")} href={row.link}>
            {t("messages.open")}
          </a>
        </div>
      )}
    </>
  );
}
