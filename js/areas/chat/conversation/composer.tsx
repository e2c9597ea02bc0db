/** Where staff write: answers and notes, quick replies by a slash, and files. What could not be sent can be sent again. */
import { useEffect, useId, useRef, useState } from "react";

import { api } from "../../../lib/api";
import type { ChatMe, ConversationRow, ChatMessageRow, QuickReply, StoredFile } from "../../../lib/api-types";
import { lengthOf, minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { conversationLimits, wechatLimits } from "../../../lib/limits";
import { notify } from "../../../lib/toast";
import { Button, buttonClass } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { useComposerDraft } from "./composer-draft";

/** Answers that WeChat takes before a customer writes again. */
const MOST_ANSWERS = 5;
/** The longest time of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Quick replies that are offered at once. */
const OFFERED = 8;

/** The first character that opens them: the slash, and the characters of its key with Chinese punctuation. */
const OPENS = /^[/、／]/;

interface Outgoing {
  conversationId: number;
  clientMsgId: string;
  content: string;
  note: boolean;
  replyId?: number;
  fileId?: number;
}

interface ComposerProps {
  conversation: ConversationRow;
  me: ChatMe;
  isMine: boolean;
  changed: (message: ChatMessageRow) => void;
}

export function Composer({ conversation, me, isMine, changed }: ComposerProps) {
  const t = useT();
  const [text, setText] = useState("");
  const [note, setNote] = useState(false);
  const [reply, setReply] = useState<QuickReply | null>(null);
  const [chosen, setChosen] = useState(0);
  const [sending, setSending] = useState<readonly (Outgoing & { failed: boolean })[]>([]);
  const [uploading, setUploading] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  /** What is in the text field, for what was sent before it was typed. */
  const typed = useRef("");
  useEffect(() => {
    typed.current = text;
  }, [text]);
  const id = useId();
  const isOthers = conversation.staffId !== null && !isMine;
  const isOver = useIsOver(conversation.replyUntil);
  // A text that was typed as a note stays a note, also when the conversation changes hands meanwhile.
  const notesOnly = isOthers || isOver;
  const asNote = note || notesOnly;
  const length = lengthOf(text.trim());
  const tooLongForWechat =
    conversation.replyUntil !== null && !asNote && new TextEncoder().encode(text.trim()).length > wechatLimits.longestText;
  const keep = useComposerDraft(conversation.id, (draft, asNote) => {
    setNote(asNote);
    setText((now) => now || draft);
  });
  const type = (value: string) => {
    if (notesOnly) setNote(true);
    setText(value);
    setChosen(0);
    keep(value, asNote);
  };

  const offered = OPENS.test(text) && !text.includes("\n") ? quickReplies(me.quickReplies, conversation.groupId, text.slice(1)) : [];
  const use = (quick: QuickReply) => {
    type(quick.content);
    setReply(quick);
    area.current?.focus();
  };

  const send = async (message: Outgoing) => {
    setSending((all) => [...all.filter(({ clientMsgId }) => clientMsgId !== message.clientMsgId), { ...message, failed: false }]);
    try {
      changed(await api.post<ChatMessageRow>("/chat/send", message));
      setSending((all) => all.filter(({ clientMsgId }) => clientMsgId !== message.clientMsgId));
      if (typed.current === "") keep("", false);
    } catch {
      // The client shows why. A second try sends the same number, so that the message is accepted once. If nothing else was
      // typed meanwhile, the text is kept as a draft.
      if (typed.current === "") keep(message.content, message.note);
      setSending((all) => all.map((one) => (one.clientMsgId === message.clientMsgId ? { ...one, failed: true } : one)));
    }
  };
  const submit = () => {
    const content = text.trim();
    if (!content || length > conversationLimits.message || tooLongForWechat || offered.length > 0) return;
    const replyId = reply && reply.content === text ? reply.id : undefined;
    type("");
    setReply(null);
    area.current?.focus();
    void send({
      conversationId: conversation.id,
      clientMsgId: newNumber(),
      content,
      note: asNote,
      ...(replyId === undefined ? {} : { replyId }),
    });
  };
  const bring = async (file: File) => {
    setUploading(true);
    try {
      const { send: bringTo } = await import("../../../lib/upload");
      const stored = await bringTo<StoredFile>("/chat/upload", {}, file, { signal: new AbortController().signal, tell: () => {} });
      await send({ conversationId: conversation.id, clientMsgId: newNumber(), content: "", note: asNote, fileId: stored.id });
    } catch (error) {
      notify("error", error instanceof Error && error.message ? error.message : t("ui.failed"));
    } finally {
      setUploading(false);
    }
  };

  if (conversation.status === "resolved") return <p className="ll-quiet chat-closed">{t("chat.closedHint")}</p>;
  return (
    <form
      className={asNote ? "chat-composer chat-composing-note" : "chat-composer"}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {sending.length > 0 && (
        <ul className="chat-sending" role="status">
          {sending.map((message) => (
            <li key={message.clientMsgId}>
              <span>{message.content || t("chat.file")}</span>{" "}
              {message.failed ? (
                <>
                  <span className="chat-failed">{t("chat.notSent")}</span>{" "}
                  <button type="button" className="ll-link" onClick={() => void send(message)}>
                    {t("chat.sendAgain")}
                  </button>{" "}
                  <button type="button" className="ll-link" onClick={() => setSending((all) => all.filter((one) => one !== message))}>
                    {t("chat.discard")}
                  </button>
                </>
              ) : (
                <span className="ll-quiet">{t("chat.sending")}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {conversation.replyUntil !== null && !isOthers && <Window conversation={conversation} isOver={isOver} changed={changed} />}
      {offered.length > 0 && (
        <ul className="chat-quick" role="listbox" id={`${id}-quick`} aria-label={t("chat.quickReplies")}>
          {offered.map((quick, index) => (
            <li key={quick.id} id={`${id}-${quick.id}`} role="option" aria-selected={index === chosen} onClick={() => use(quick)}>
              <b>/{quick.shortcut}</b> <span>{quick.content}</span>
            </li>
          ))}
        </ul>
      )}
      <label>
        <span className="sr-only">{t("chat.message")}</span>
        <textarea
          ref={area}
          className="ll-input"
          rows={3}
          aria-invalid={length > conversationLimits.message || tooLongForWechat ? true : undefined}
          value={text}
          placeholder={t(asNote ? "chat.noteHint" : "chat.messageHint")}
          aria-autocomplete="list"
          aria-controls={offered.length > 0 ? `${id}-quick` : undefined}
          aria-activedescendant={offered[chosen] ? `${id}-${offered[chosen].id}` : undefined}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => {
            const pick = offered[chosen];
            if (pick && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
              event.preventDefault();
              setChosen((chosen + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
            } else if (pick && (event.key === "Enter" || event.key === "Tab")) {
              event.preventDefault();
              use(pick);
            } else if (event.key === "Escape" && pick) {
              type("");
            } else if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              submit();
            }
          }}
        />
      </label>
      {(length > conversationLimits.message || tooLongForWechat) && (
        <p className="mb-1 text-small chat-failed" role="status">
          {length > conversationLimits.message
            ? t("chat.tooLong", { max: conversationLimits.message, length })
            : t("chat.tooLongForWechat")}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 justify-end">
        <label className="mr-auto flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={asNote}
            disabled={notesOnly}
            onChange={({ target }) => {
              setNote(target.checked);
              keep(text, target.checked);
            }}
          />
          {t("chat.asNote")}
        </label>
        <label className={buttonClass("text")}>
          <Icon name="upload" />
          {t(uploading ? "chat.uploading" : "chat.attach")}
          <input
            type="file"
            accept={conversation.replyUntil !== null && !asNote ? "image/*" : undefined}
            className="sr-only"
            disabled={uploading}
            onChange={({ target }) => {
              const file = target.files?.[0];
              target.value = "";
              if (file) void bring(file);
            }}
          />
        </label>
        <Button type="submit" look="primary" disabled={!text.trim() || length > conversationLimits.message || tooLongForWechat}>
          {t(asNote ? "chat.saveNote" : "chat.send")}
        </Button>
      </div>
    </form>
  );
}

/** Whether the time to answer is over; false in the server's HTML. */
function useIsOver(replyUntil: number | null): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const left = (replyUntil ?? Infinity) - Date.now();
    setOver(left <= 0);
    if (left <= 0 || left > LONGEST_TIMER) return undefined;
    const timer = setTimeout(() => setOver(true), left);
    return () => clearTimeout(timer);
  }, [replyUntil]);
  return over;
}

interface WindowProps {
  conversation: ConversationRow;
  isOver: boolean;
  changed: (message: ChatMessageRow) => void;
}

/** Until when a customer of WeChat can be answered, and the template message that asks them to write again. */
function Window({ conversation: { id, replyUntil, answersSent, hasReminder }, isOver, changed }: WindowProps) {
  const t = useT();
  const [sending, setSending] = useState(false);
  const number = useRef("");
  if (!isOver) {
    return (
      <p className="ll-quiet mb-1 text-small">
        {t("chat.window", { until: minute(replyUntil ?? 0), sent: answersSent, most: MOST_ANSWERS })}
      </p>
    );
  }
  const remind = async () => {
    setSending(true);
    // The same number until the message is accepted.
    number.current ||= newNumber();
    try {
      changed(await api.post<ChatMessageRow>("/chat/remind", { conversationId: id, clientMsgId: number.current }));
      number.current = "";
    } catch {
      // The client shows why.
    } finally {
      setSending(false);
    }
  };
  return (
    <p className="mb-1 text-small">
      {t("chat.windowOver")}{" "}
      {hasReminder && (
        <button type="button" className="ll-link" disabled={sending} onClick={() => void remind()}>
          {t("chat.remind")}
        </button>
      )}
    </p>
  );
}

/** A number for a message, so that it is accepted once however often it is sent. */
function newNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The quick replies of a group that begin with what was typed, then those that hold it. */
export function quickReplies(all: readonly QuickReply[], groupId: number, typed: string): QuickReply[] {
  const wanted = typed.trim().toLowerCase();
  const fits = all.filter((reply) => reply.groupId === null || reply.groupId === groupId);
  const begins = fits.filter(({ shortcut }) => shortcut.toLowerCase().startsWith(wanted));
  const holds = fits.filter((reply) => !begins.includes(reply) && reply.content.toLowerCase().includes(wanted));
  return [...begins, ...holds].slice(0, OFFERED);
}
