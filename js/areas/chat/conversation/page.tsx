/**
 * /chat/conversation: conversations, the thread of one, and its customer: three columns, on narrow screens one after
 * another. Without scripts conversations can be read.
 */
import { useEffect, useMemo, useState } from "react";

import { api } from "../../../lib/api";
import type {
  ApplicationCard,
  ChatMe,
  ChatPresence,
  ChatThread,
  ConversationRow,
  ChatMessageRow,
  FoundByNumber,
  Page,
  WholeTexts,
} from "../../../lib/api-types";
import { chatPresenceCodes } from "../../../lib/codes";
import { count } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { type ListQuery, useListQuery } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded, usePageData, useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { useNavigate } from "../../../lib/visit";
import type { Act } from "../../../ui/act";
import { type List, useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import { FailedList } from "../../../ui/list-state";
import { isMuted, setMuted, useChatAlert } from "./alert";
import { CustomerPanel } from "./customer-panel";
import { ConversationList } from "./list";
import { useChatEvents } from "./live";
import {
  asksFor,
  belongsTo,
  type ChatNews,
  hasMaskedNote,
  newest,
  NO_NEWS,
  type Revealed,
  rowsOf,
  threadOf,
  withEvents,
  withMessage,
  withWhole,
} from "./state";
import { Thread } from "./thread";

/** The pause after an event before the waiting customers are counted again. */
const COUNT_MS = 1000;

export default function Conversations() {
  const t = useT();
  const answer = usePageData<Page<ConversationRow> | null>("list");
  const me = useLoaded<ChatMe>("me");
  const thread = useLoaded<ChatThread | null>("thread");
  const application = useLoaded<ApplicationCard | null>("application") ?? null;
  const query = useListQuery();
  const [news, setNews] = useState(NO_NEWS);
  const [muted, setMutedState] = useState(false);
  const [presence, choose] = usePresence(me?.presence ?? "online");
  useEffect(() => setMutedState(isMuted()), []);
  const reload = useReload();
  const [list, act, overlays] = useActions("chat/conversation");
  const staffId = me?.staffId ?? null;
  const rows = useRows(answer.data, news, query.filters, staffId);
  const chosen = Number(query.filters["id"] ?? 0);
  const conversation = thread && newest(thread.conversation, news);
  const messages = useMemo(() => (thread ? threadOf(thread.messages.list, news, thread.conversation.id) : []), [thread, news]);

  return (
    <div className={chosen ? "ll-card chat chat-chosen" : "ll-card chat"}>
      <header className="chat-head flex flex-wrap items-center gap-2 justify-between">
        <h1 className="ll-title">{t("chat.title")}</h1>
        {me && (
          <Live
            me={me}
            news={news}
            rows={rows}
            presence={presence}
            choose={choose}
            muted={muted}
            setMuted={setMutedState}
            onEvents={(events) => (events.reset ? (setNews(NO_NEWS), void reload()) : setNews((known) => withEvents(known, events)))}
          />
        )}
      </header>
      {me && presence === "offline" && <Offline key={me.at} me={me} news={news} choose={choose} />}
      {me && me.staffId === null && <p className="ll-alert ll-alert-info">{t("chat.noStaff")}</p>}
      <div className="chat-columns">
        {answer.data ? (
          <ConversationList rows={rows} page={answer.data} query={query} chosen={chosen} staffId={staffId} at={me?.at ?? 0} />
        ) : (
          <FailedList answer={answer} address="/chat/conversation" />
        )}
        {conversation && thread && !news.gone.has(conversation.id) ? (
          <Chosen
            key={conversation.id}
            conversation={conversation}
            thread={thread}
            application={application}
            messages={messages}
            me={me}
            list={list}
            act={act}
            back={query}
            changed={(message: ChatMessageRow) => setNews((known) => withMessage(known, message))}
          />
        ) : (
          <p className="chat-none ll-quiet">{t(chosen ? "chat.gone" : "chat.choose")}</p>
        )}
      </div>
      {overlays}
    </div>
  );
}

interface ChosenProps {
  conversation: ConversationRow;
  thread: ChatThread;
  application: ApplicationCard | null;
  /** The last messages, and those that have arrived since. */
  messages: readonly ChatMessageRow[];
  me: ChatMe | null;
  list: List;
  act: Act;
  back: ListQuery;
  changed: (message: ChatMessageRow) => void;
}

/** The thread and the customer of one conversation, with the whole texts that the viewer has revealed. */
function Chosen({
  conversation,
  thread: {
    messages: { more },
    customer,
    transfers,
  },
  application,
  messages,
  me,
  list,
  act,
  back,
  changed,
}: ChosenProps) {
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const reveal = async (range: { from?: number; before?: number }) => {
    const texts = await api.get<WholeTexts>(`/chat/conversation/reveal/${conversation.id}`, range);
    setRevealed((known) => withWhole(known, texts));
  };
  const t = useT();
  const navigate = useNavigate();
  const [found, setFound] = useState<ApplicationCard | null>(null);
  const find = (messageId: number, from: number, length: number) =>
    act(`number ${messageId} ${from}`, async () => {
      const { card, address } = await api.get<FoundByNumber>(`/chat/number/${messageId}`, { from, length });
      setFound(card);
      if (address) await navigate(address);
      else if (!card) notify("info", t("chat.noApplication"));
    });
  const mayFind = useHasPoint(["chat/client/list"]);
  return (
    <>
      <Thread
        conversation={conversation}
        messages={messages}
        more={more}
        me={me}
        list={list}
        act={act}
        back={back}
        changed={changed}
        revealed={revealed}
        reveal={reveal}
        hasMaskedNote={hasMaskedNote(conversation, customer, transfers, revealed)}
        find={mayFind ? find : null}
      />
      <CustomerPanel
        conversation={conversation}
        customer={customer}
        application={application}
        found={found}
        transfers={transfers}
        revealed={revealed}
        list={list}
        act={act}
      />
    </>
  );
}

function useRows(page: Page<ConversationRow> | null, news: ChatNews, filters: Readonly<Record<string, string>>, staffId: number | null) {
  return useMemo(() => {
    const loaded = page?.list ?? [];
    const belongs = belongsTo(filters, staffId);
    const known = new Set(loaded.map(({ id }) => id));
    return rowsOf(loaded, news, belongs ?? (({ id }) => known.has(id)));
  }, [page, news, filters, staffId]);
}

type Choose = (wanted: ChatPresence) => Promise<boolean>;

/** The presence that the viewer has chosen, and how to choose another; that resolves to whether it was taken. */
function usePresence(first: ChatPresence): [ChatPresence, Choose] {
  const [presence, setPresence] = useState(first);
  const choose = async (wanted: ChatPresence) => {
    const before = presence;
    setPresence(wanted);
    try {
      await api.put<ChatMe>("/chat/presence", { presence: wanted });
      return true;
    } catch {
      setPresence(before);
      return false;
    }
  };
  return [presence, choose];
}

/** How many customers wait for an agent who is offline, with a button to go online: then the viewer's conversations are shown. */
function Offline({ me, news, choose }: { me: ChatMe; news: ChatNews; choose: Choose }) {
  const t = useT();
  const navigate = useNavigate();
  const mayAnswer = useHasPoint(["chat/conversation/send"]) && me.staffId !== null;
  const [waiting, setWaiting] = useState(me.waiting);
  useEffect(() => {
    if (news === NO_NEWS || !mayAnswer) return undefined;
    const read = () => api.get<ChatMe>("/chat/me", {}, { quiet: true }).then((now) => setWaiting(now.waiting));
    const timer = setTimeout(() => read().catch(() => undefined), COUNT_MS);
    return () => clearTimeout(timer);
  }, [news, mayAnswer]);
  if (!mayAnswer || waiting === 0) return null;
  const begin = async () => {
    if (await choose("online")) await navigate("/chat/conversation?box=mine");
  };
  return (
    <p className="ll-alert ll-alert-warning flex flex-wrap items-center gap-3" role="status">
      {t("chat.offline", { count: count(waiting) })}
      <Button look="primary" small onClick={() => void begin()}>
        {t("chat.goOnline")}
      </Button>
    </p>
  );
}

interface LiveProps {
  me: ChatMe;
  news: ChatNews;
  rows: readonly ConversationRow[];
  presence: ChatPresence;
  choose: Choose;
  muted: boolean;
  setMuted: (muted: boolean) => void;
  onEvents: Parameters<typeof useChatEvents>[1];
}

/** The viewer's presence, how many conversations they have, and whether the page is up to date. */
function Live({ me, news, rows, presence, choose, muted, setMuted: mute, onEvents }: LiveProps) {
  const t = useT();
  const mayAnswer = useHasPoint(["chat/conversation/send"]) && me.staffId !== null;
  const state = useChatEvents(me.after, onEvents);
  const asking = useMemo(() => {
    const all = new Map(rows.map((row) => [row.id, row]));
    for (const row of news.rows.values()) if (!news.gone.has(row.id)) all.set(row.id, row);
    return [...all.values()].filter((row) => row.status !== "resolved" && asksFor(row, me.staffId));
  }, [rows, news, me.staffId]);
  const newestAt = Math.max(0, ...asking.filter(({ id }) => news.rows.has(id)).map(({ lastMessageAt }) => lastMessageAt));
  useChatAlert(asking.length, newestAt, muted || presence === "offline");

  return (
    <div className="chat-me flex flex-wrap items-center gap-2">
      {state === "late" && (
        <span className="ll-tag ll-tag-orange" role="status">
          {t("chat.late")}
        </span>
      )}
      {mayAnswer && (
        <>
          <span className="ll-quiet">{t("chat.openOf", { open: me.open, max: me.maxOpen })}</span>
          <label>
            <span className="sr-only">{t("chat.presence")}</span>
            <select className="ll-input" value={presence} onChange={({ target }) => void choose(target.value as ChatPresence)}>
              {chatPresenceCodes.map((code) => (
                <option key={code} value={code}>
                  {t(`ChatPresence.${code}`)}
                </option>
              ))}
            </select>
          </label>
          <Button
            look="text"
            aria-pressed={muted}
            onClick={() => {
              setMuted(!isMuted());
              mute(isMuted());
            }}
          >
            {t(muted ? "chat.unmute" : "chat.mute")}
          </Button>
        </>
      )}
    </div>
  );
}
