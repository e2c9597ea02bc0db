/** What is in the message box: one's newest messages, notices and todos. A lazy chunk. */

import { Tabs } from "@base-ui/react/tabs";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { api, ApiError } from "../lib/api";
import type { MessageKind, MessageList, MessageRow, Unread } from "../lib/api-types";
import { useT } from "../lib/i18n";
import { Button } from "../ui/button";
import { State } from "../ui/list-state";
import { closePopover } from "../ui/popover";
import { MessageContent, messageKinds } from "./message-entry";
import { keepUnread, MESSAGES_ID, noneUnread, onUnread, unread } from "./unread";
import "./message-box.css";

/** How many a tab shows; the rest is on the page of all messages. */
const SHOWN = 20;

export function MessageBox() {
  const t = useT();
  const counts = useSyncExternalStore(onUnread, unread, noneUnread);
  const [kind, setKind] = useState<MessageKind>(() => messageKinds.find((each) => unread()[each] > 0) ?? "message");
  const list = useRef<HTMLDivElement>(null);
  // The focus goes inside, for keyboard users; Escape gives it back to the bell.
  useEffect(() => {
    // A frame later, when the tabs are set up for the arrow keys.
    const frame = requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Tabs.Root className="app-messages-box" value={kind} onValueChange={(next: MessageKind) => setKind(next)}>
      <Tabs.List ref={list} activateOnFocus className="app-messages-tabs" aria-label={t("messages.title")}>
        {messageKinds.map((each) => (
          <Tabs.Tab key={each} value={each} className="app-messages-tab">
            {t(`messages.type.${each}`)}
            {counts[each] > 0 && ` (${counts[each] > 99 ? "99+" : counts[each]})`}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {messageKinds.map((each) => (
        <Tabs.Panel key={each} value={each} className="app-messages-panel">
          <Entries kind={each} unreadCount={counts[each]} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

/** The newest messages of one type, and the actions on all of them. */
function Entries({ kind, unreadCount }: { kind: MessageKind; unreadCount: number }) {
  const t = useT();
  const [rows, setRows] = useState<readonly MessageRow[]>();
  const [failure, setFailure] = useState("");
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const abort = new AbortController();
    api.post<MessageList>("/message/page", { type: kind, pageSize: SHOWN }, { signal: abort.signal, quiet: true }).then(
      (answer) => {
        setRows(answer.list);
        setFailure("");
        keepUnread(answer.unread);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (error instanceof ApiError) setFailure(error.desc);
        else console.error(error);
      },
    );
    return () => abort.abort();
  }, [kind, turn]);

  /** Marks messages and shows the result at once; the client reports refusals. */
  const mark = async (call: "read" | "clear", which: object, after: (row: MessageRow) => MessageRow | null) => {
    const before = rows;
    setRows(rows?.map(after).filter((row) => row !== null));
    try {
      keepUnread(await api.post<Unread>(`/message/${call}`, which));
    } catch (error) {
      setRows(before);
      if (!(error instanceof ApiError)) console.error(error);
    }
  };
  const asRead = (row: MessageRow) => ({ ...row, status: 1 });
  const open = ({ id, status }: MessageRow) => {
    if (status === 0) void mark("read", { ids: [id] }, (row) => (row.id === id ? asRead(row) : row));
  };

  if (failure !== "") {
    return (
      <div role="alert">
        <State icon="warning" title={failure}>
          <Button look="primary" onClick={() => setTurn(turn + 1)}>
            {t("ui.retry")}
          </Button>
        </State>
      </div>
    );
  }
  if (!rows) return <p className="app-messages-state">{t("ui.loading")}</p>;
  if (rows.length === 0) return <State icon="bell" title={t("messages.none")} />;
  return (
    <>
      <ul className="app-messages-list">
        {rows.map((row) => (
          <li key={row.id}>
            <Entry row={row} onOpen={() => open(row)} />
          </li>
        ))}
      </ul>
      <div className="app-messages-acts">
        <Button small look="text" disabled={unreadCount === 0} onClick={() => void mark("read", { type: kind }, asRead)}>
          {t("messages.allRead")}
        </Button>
        <Button small look="text" onClick={() => void mark("clear", { type: kind }, () => null)}>
          {t("messages.clear")}
        </Button>
      </div>
    </>
  );
}

/** One message: a link where it leads somewhere, else a button that shows all of it. */
function Entry({ row, onOpen }: { row: MessageRow; onOpen: () => void }) {
  const [isWhole, setWhole] = useState(false);
  const className = `app-message${row.status === 0 ? " is-unread" : ""}${isWhole ? " is-whole" : ""}`;
  if (row.link !== null) {
    const leave = () => {
      onOpen();
      closePopover(MESSAGES_ID);
    };
    return (
      <a className={className} href={row.link} onClick={leave}>
        <MessageContent row={row} />
      </a>
    );
  }
  const unfold = () => {
    onOpen();
    setWhole(!isWhole);
  };
  return (
    <button type="button" className={className} aria-expanded={isWhole} onClick={unfold}>
      <MessageContent row={row} />
    </button>
  );
}
