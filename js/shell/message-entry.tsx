/** Renders a message, both in the message box and on the page of all messages. */

import type { MessageKind, MessageRow } from "../lib/api-types";
import { minute } from "../lib/format";
import { useT } from "../lib/i18n";
import { Icon, type IconName } from "../ui/icon";
import { Tag, type TagColor } from "../ui/tag";

/** In the order of the tabs. */
export const messageKinds: readonly MessageKind[] = ["message", "notice", "todo"];

const icons: Readonly<Record<MessageKind, IconName>> = { message: "chat", notice: "info", todo: "list" };

/** Colours of the state of a message's subject, by `messageType`. */
const colors: readonly TagColor[] = ["gray", "green", "blue", "red"];

/** The tag with the state of a message's subject; none for messages without a state. */
export function MessageStateTag({ state }: { state: MessageRow["messageType"] }) {
  const t = useT();
  const color = state === null ? undefined : colors[state];
  return color && <Tag color={color}>{t(`messages.state.${state as 0 | 1 | 2 | 3}`)}</Tag>;
}

/** `href`: the address of the message, if its title is a link to it. */
export function MessageContent({ row, href }: { row: MessageRow; href?: string }) {
  const t = useT();
  const { type, title, subTitle, avatar, content, time, status, messageType } = row;
  return (
    <>
      <span className="app-message-picture" aria-hidden="true">
        {avatar === null ? <Icon name={icons[type]} /> : <img src={avatar} alt="" width="32" height="32" />}
      </span>
      <span className="app-message-text">
        <span className="app-message-head">
          <span className="app-message-title">
            {status === 0 && <span className="sr-only">{t("messages.status.0")} </span>}
            {href === undefined ? title : <a href={href}>{title}</a>}
            {subTitle !== "" && <span className="app-message-sub"> {subTitle}</span>}
          </span>
          <MessageStateTag state={messageType} />
        </span>
        <span className="app-message-content">{content}</span>
        <time className="app-message-time" dateTime={new Date(time).toISOString()}>
          {minute(time)}
        </time>
      </span>
    </>
  );
}
