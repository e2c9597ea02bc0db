/** The middle column: what was written in a conversation, and what can be done with it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

import { api } from "../../../lib/api";
import type { ChatMe, ConversationRow, Delivery, MessagePage, ChatMessageRow } from "../../../lib/api-types";
import { minute } from "../../../lib/format";
import { useIsHydrated } from "../../../lib/hydrated";
import { type Translate, useT } from "../../../lib/i18n";
import { type ListQuery, listSearch } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import type { List } from "../../../ui/actions";
import type { Act } from "../../../ui/act";
import { Button } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { EnumTag, Tag } from "../../../ui/tag";
import { ConversationActions } from "./actions";
import { Composer } from "./composer";
import { priorityColors, statusColors } from "./list";
import { partsOf } from "./numbers";
import { isMasked, type Revealed, withoutId } from "./state";
import { Target, useNow } from "./target";

/** How long after it was sent a message can be recalled. */
const RECALL_MS = 2 * 60_000;
/** Within this distance from its end, in pixels, a thread scrolls to new messages. */
const NEAR = 80;

interface ThreadProps {
  conversation: ConversationRow;
  /** The last messages, and those that have arrived since. */
  messages: readonly ChatMessageRow[];
  /** Whether there are earlier ones than the first. */
  more: boolean;
  me: ChatMe | null;
  list: List;
  act: Act;
  /** The list that the viewer came from. */
  back: ListQuery;
  changed: (message: ChatMessageRow) => void;
  /** The whole texts that the viewer has revealed; null before. */
  revealed: Revealed | null;
  /** Reveals whole texts, of the messages from `from` on and before `before`. */
  reveal: (range: { from?: number; before?: number }) => Promise<void>;
  /** Whether a note about the conversation has a hidden number. */
  hasMaskedNote: boolean;
  /** Looks up a number in a message; null for viewers who may not. */
  find: FindNumber | null;
}

/** Looks up the number of a message that stands behind so many characters and has so many. */
export type FindNumber = (messageId: number, from: number, length: number) => void;

export function Thread({ conversation, messages, more, me, list, act, back, changed, revealed, reveal, hasMaskedNote, find }: ThreadProps) {
  const t = useT();
  // Without scripts a number stays text: buttons are hidden then.
  const isHydrated = useIsHydrated();
  const [earlier, setEarlier] = useState<MessagePage>({ list: [], more });
  // Loaded messages stay, even if the last messages are loaded again and begin later.
  const seen = useRef<ReadonlyMap<number, ChatMessageRow>>(new Map());
  const all = useMemo(() => {
    const byId = new Map(seen.current);
    for (const message of [...earlier.list, ...messages]) if (!byId.get(message.id)?.recalled) byId.set(message.id, message);
    return [...byId.values()].sort((one, other) => one.id - other.id);
  }, [earlier, messages]);
  useEffect(() => {
    seen.current = new Map(all.map((message) => [message.id, message]));
  }, [all]);
  const box = useRef<HTMLOListElement>(null);
  const staffId = me?.staffId ?? null;
  const isMine = staffId !== null && conversation.staffId === staffId;
  const now = useNow(me?.at ?? 0);
  const answers = useHasPoint(["chat/conversation/send"]) && staffId !== null;
  const last = all.at(-1)?.id ?? 0;
  const masked = useMasked(all, revealed);
  const mayReveal = useHasPoint(["chat/client/reveal"]);
  useRevealNew(masked, revealed, act, reveal);
  useFollow(box, last);
  useRead(conversation, last, isMine);

  const older = async () => {
    const before = all[0]?.id;
    if (before === undefined) return;
    const page = await api.get<MessagePage>("/chat/getRecord", { conversationId: conversation.id, before });
    // Messages are added above: the visible ones stay in their place.
    const [height, top] = [box.current?.scrollHeight ?? 0, box.current?.scrollTop ?? 0];
    setEarlier((known) => ({ list: [...page.list, ...known.list], more: page.more }));
    requestAnimationFrame(() => {
      if (box.current) box.current.scrollTop = top + box.current.scrollHeight - height;
    });
  };

  return (
    <section className="chat-thread" aria-label={t("chat.thread")}>
      <header className="chat-thread-head flex flex-wrap items-center gap-2">
        <a className="chat-back ll-link" href={`/chat/conversation${listSearch({ ...back, filters: withoutId(back.filters) })}`}>
          <Icon name="chevron-left" />
          {t("chat.back")}
        </a>
        <h2>{conversation.customerName || t("chat.erased")}</h2>
        <EnumTag labels="ConversationStatus" value={conversation.status} colors={statusColors} />
        <Target row={conversation} now={now} />
        {conversation.priority > 0 && (
          <Tag color={priorityColors[conversation.priority]}>{t(`chat.priority.${conversation.priority as 1 | 2 | 3}`)}</Tag>
        )}
        <span className="ll-quiet">
          {conversation.groupName}
          {conversation.staffName !== null && ` · ${conversation.staffName}`}
        </span>
        {mayReveal && (hasMaskedNote || (revealed === null && masked.length > 0)) && (
          <Button small onClick={() => act("reveal numbers", () => reveal(all[0] ? { from: all[0].id } : {}))}>
            {t("chat.revealNumbers")}
          </Button>
        )}
        {answers && <ConversationActions conversation={conversation} me={me} list={list} act={act} />}
      </header>
      {/* Focusable, so that it can be scrolled by the keyboard. */}
      <ol ref={box} className="chat-messages" tabIndex={0} aria-label={t("chat.messages")} aria-live="polite">
        {earlier.more && (
          <li className="chat-more">
            <Button look="text" onClick={() => act("older", older)}>
              {t("chat.earlier")}
            </Button>
          </li>
        )}
        {all.map((message) => (
          <Message
            key={message.id}
            message={withText(message, revealed)}
            conversation={conversation}
            staffId={answers ? staffId : null}
            find={isHydrated ? find : null}
            recall={() =>
              act(`recall ${message.id}`, async () => changed(await api.post<ChatMessageRow>("/chat/recall", { messageId: message.id })))
            }
            resend={() =>
              act(`resend ${message.id}`, async () => changed(await api.post<ChatMessageRow>("/chat/resend", { messageId: message.id })))
            }
          />
        ))}
      </ol>
      {answers && me && <Composer conversation={conversation} me={me} isMine={isMine} changed={changed} />}
    </section>
  );
}

function withText(message: ChatMessageRow, revealed: Revealed | null): ChatMessageRow {
  const whole = message.recalled ? undefined : revealed?.messages.get(message.id);
  return whole === undefined ? message : { ...message, content: whole };
}

/** The ids of loaded messages with a number that is hidden still. */
function useMasked(all: readonly ChatMessageRow[], revealed: Revealed | null): readonly number[] {
  return useMemo(
    () => all.filter(({ id, content, recalled }) => !recalled && isMasked(content) && !revealed?.messages.has(id)).map(({ id }) => id),
    [all, revealed],
  );
}

/** After a reveal, also reveals messages that are loaded or arrive later, each once. */
function useRevealNew(masked: readonly number[], revealed: Revealed | null, act: Act, reveal: ThreadProps["reveal"]) {
  const requested = useRef(new Set<number>());
  useEffect(() => {
    const ids = masked.filter((id) => !requested.current.has(id));
    if (revealed === null || ids.length === 0) return;
    for (const id of ids) requested.current.add(id);
    act(`reveal ${ids[0]}`, () => reveal({ from: Math.min(...ids), before: Math.max(...ids) + 1 }));
  });
}

/** Keeps the end of a thread in sight, unless the viewer has scrolled up. */
function useFollow(box: React.RefObject<HTMLOListElement | null>, last: number) {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const distance = list.scrollHeight - list.scrollTop - list.clientHeight;
    const grew = list.lastElementChild?.clientHeight ?? 0;
    if (isFirst.current || distance < NEAR + grew) list.scrollTop = list.scrollHeight;
    isFirst.current = false;
  }, [box, last]);
}

/** Marks a conversation as read while the member of the staff who has it sees it. */
function useRead({ id, unread, staffReadId }: ConversationRow, last: number, isMine: boolean) {
  useEffect(() => {
    if (!isMine || unread === 0 || last <= staffReadId) return undefined;
    const mark = () => {
      if (document.visibilityState === "visible")
        api.post("/chat/read", { conversationId: id, messageId: last }, { quiet: true }).catch(() => undefined);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [id, unread, staffReadId, last, isMine]);
}

interface MessageProps {
  message: ChatMessageRow;
  conversation: ConversationRow;
  /** The viewer, if they may answer. */
  staffId: number | null;
  find: FindNumber | null;
  recall: () => void;
  resend: () => void;
}

function Message({ message, conversation, staffId, find, recall, resend }: MessageProps) {
  const t = useT();
  const { direction, recalled } = message;
  if (direction === "system") {
    return (
      <li className="chat-system">
        <time>{minute(message.at)}</time> {systemText(message.content, t)}
      </li>
    );
  }
  const who = direction === "in" ? conversation.customerName : (message.staffName ?? t("chat.automatic"));
  const isOwn = staffId !== null && message.staffId === staffId && !recalled;
  return (
    <li className={`chat-message chat-${direction}`}>
      <small>
        {who} · <time>{minute(message.at)}</time>
        {direction === "note" && ` · ${t("chat.note")}`}
        {direction === "out" && !recalled && message.id <= conversation.customerReadId && ` · ${t("chat.wasRead")}`}
      </small>
      {recalled ? <i>{t("chat.recalled")}</i> : <Content message={message} find={direction === "in" ? find : null} />}
      {message.delivery && !recalled && (
        <DeliveryLine
          delivery={message.delivery}
          resend={staffId !== null && conversation.staffId === staffId && conversation.status !== "resolved" ? resend : null}
        />
      )}
      {isOwn && (!message.delivery || message.delivery.state === "waiting" || message.delivery.state === "failed") && (
        <Recall at={message.at} recall={recall} />
      )}
    </li>
  );
}

/** Whether a message has arrived at WeChat; one that has not can be sent again. */
function DeliveryLine({ delivery: { state, reason }, resend }: { delivery: Delivery; resend: (() => void) | null }) {
  const t = useT();
  if (state === "sent") return null;
  const isOver = state === "failed" || state === "unknown";
  return (
    <small className={isOver ? "chat-failed" : undefined}>
      {t(`DeliveryState.${state}`)}
      {reason !== null && ` · ${t(`DeliveryReason.${reason}`)}`}{" "}
      {isOver && resend && (
        <button className="ll-link" onClick={resend}>
          {t("chat.sendAgain")}
        </button>
      )}
    </small>
  );
}

/** The button that recalls, as long as that is possible. */
function Recall({ at, recall }: { at: number; recall: () => void }) {
  const t = useT();
  const [possible, setPossible] = useState(false);
  useEffect(() => {
    const left = at + RECALL_MS - Date.now();
    if (left <= 0) return undefined;
    setPossible(true);
    const timer = setTimeout(() => setPossible(false), left);
    return () => clearTimeout(timer);
  }, [at]);
  if (!possible) return null;
  return (
    <button className="ll-link" onClick={recall}>
      {t("chat.recall")}
    </button>
  );
}

function Content({ message: { id, file, kind, content }, find }: Pick<MessageProps, "message" | "find">) {
  if (!file) {
    if (!find) return <p>{content}</p>;
    return (
      <p>
        {partsOf(content).map(({ text, from }) =>
          from === null ? (
            text
          ) : (
            <button key={from} className="ll-link underline" onClick={() => find(id, from, text.length)}>
              {text}
            </button>
          ),
        )}
      </p>
    );
  }
  if (kind === "image") {
    return (
      <a href={file.url} target="_blank" rel="noreferrer">
        <img src={file.url} alt={file.name} loading="lazy" />
      </a>
    );
  }
  return (
    <p>
      <a className="ll-link" href={file.url}>
        {file.name}
      </a>
      {content !== file.name && (
        <>
          <br />
          {content}
        </>
      )}
    </p>
  );
}

/** The text of a message that the program wrote in a thread. */
export function systemText(content: string, t: Translate): string {
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(content) as Record<string, unknown>;
  } catch {
    return content;
  }
  const text = (name: string) => (typeof event[name] === "string" ? event[name] : "");
  const note = text("note") && t("chat.event.note", { note: text("note") });
  switch (event["event"]) {
    case "assigned":
      return t("chat.event.assigned", { staff: text("staff") });
    case "taken":
      return t("chat.event.taken", { staff: text("staff") });
    case "transferred":
      if (event["reason"] === "offline") return t("chat.event.staffOffline", { staff: text("staff"), to: text("to") });
      if (event["reason"] === "disabled") return t("chat.event.staffDisabled", { staff: text("staff"), to: text("to") });
      return t("chat.event.transferred", { staff: text("staff"), to: text("to") }) + note;
    case "snoozed":
      return t("chat.event.snoozed", { staff: text("staff"), until: minute(Number(event["until"])) });
    case "woken":
      return t("chat.event.woken");
    case "closed":
      return t("chat.event.closed", { staff: text("staff") }) + note;
    case "idle":
      return t("chat.event.idle");
    case "phone":
      return t("chat.event.phone");
    case "phone_verified":
      return t("chat.event.phoneVerified");
    default:
      return content;
  }
}
