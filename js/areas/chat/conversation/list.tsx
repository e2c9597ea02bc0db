/** The left column: conversations by box, a search, and where messages were found. */
import { useState } from "react";

import { api } from "../../../lib/api";
import type { ConversationRow, FoundMessages, Page } from "../../../lib/api-types";
import { count, minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { type ListQuery, listSearch } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { formatQuery } from "../../../lib/query-string";
import { age } from "../../../ui/age";
import { Button } from "../../../ui/button";
import { useOverlay } from "../../../ui/overlay";
import { EnumTag, Tag } from "../../../ui/tag";
import { waitsSince, withoutId } from "./state";
import { Target, useNow } from "./target";

export const statusColors = { queued: "orange", open: "blue", snoozed: "purple", resolved: "gray" } as const;
export const priorityColors = ["gray", "cyan", "orange", "red"] as const;

interface ConversationListProps {
  rows: readonly ConversationRow[];
  page: Page<ConversationRow>;
  query: ListQuery;
  chosen: number;
  staffId: number | null;
  /** The time of the server's answer. */
  at: number;
}

/** "11-21 17:18". */
export const shortTime = (at: number) => minute(at).slice(5);

/** The columns of the file. */
const COLUMNS = [
  "customerName",
  "phoneMask",
  "phoneState",
  "phoneVerifiedAt",
  "source",
  "groupName",
  "staffName",
  "status",
  "priority",
  "unread",
  "waitingSince",
  "firstReplyAt",
  "dueAt",
  "lastMessageAt",
  "lastText",
  "rating",
  "ratingNote",
  "closeNote",
  "closedByName",
  "closedAt",
  "createdAt",
];

const BOXES = [
  { label: "chat.boxAll", where: {} },
  { label: "chat.boxMine", where: { box: "mine" } },
  { label: "chat.boxUnassigned", where: { box: "unassigned" } },
  { label: "chat.boxOverdue", where: { state: "overdue" } },
  { label: "chat.boxClosed", where: { status: "resolved" } },
] as const;

export function ConversationList({ rows, page, query, chosen, staffId, at }: ConversationListProps) {
  const t = useT();
  const now = useNow(at);
  const filters = withoutId(query.filters);
  const { box, state, status } = filters;
  const shown = formatQuery({ box: box === "all" ? null : box, state, status });
  const exports = useHasPoint(["chat/conversation/export"]);
  return (
    <section className="chat-list" aria-label={t("chat.list")}>
      <nav className="chat-boxes flex flex-wrap items-center gap-2" aria-label={t("chat.boxes")}>
        {BOXES.filter(({ label }) => label !== "chat.boxMine" || staffId !== null).map(({ label, where }) => (
          <a key={label} href={`/chat/conversation${formatQuery(where)}`} aria-current={formatQuery(where) === shown ? "page" : undefined}>
            {t(label)}
          </a>
        ))}
      </nav>
      <Search keyword={filters["keyword"] ?? ""} />
      {exports && <Export query={{ ...query, filters }} total={page.total} />}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <a
              className="chat-row"
              href={`/chat/conversation${listSearch({ ...query, filters: { ...filters, id: String(row.id) } })}`}
              aria-current={row.id === chosen ? "true" : undefined}
            >
              <span className="chat-row-head">
                <b>{row.customerName || t("chat.erased")}</b>
                <State row={row} now={now} />
              </span>
              <span className="chat-row-text">
                <span>{row.lastText || t("chat.noText")}</span>
                {row.unread > 0 && (
                  <span className="chat-unread" aria-label={t("chat.unread", { count: row.unread })}>
                    {count(row.unread)}
                  </span>
                )}
              </span>
              <span className="chat-row-tags">
                <Target row={row} now={now} />
                {waitsSince(row) === null && <EnumTag labels="ConversationStatus" value={row.status} colors={statusColors} />}
                {row.priority > 0 && <Tag color={priorityColors[row.priority]}>{t(`chat.priority.${row.priority as 1 | 2 | 3}`)}</Tag>}
                <span className="ll-quiet">
                  {row.groupName}
                  {row.staffName !== null && ` · ${row.staffName}`}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {rows.length === 0 && <p className="ll-quiet chat-empty">{t("chat.empty")}</p>}
      <Pages page={page} query={query} />
    </section>
  );
}

/** How long the customer has waited for an answer, or the time of the last message. */
function State({ row, now }: { row: ConversationRow; now: number }) {
  const t = useT();
  const since = waitsSince(row);
  if (since === null) return <time>{shortTime(row.lastMessageAt)}</time>;
  return (
    <Tag color="orange">
      <span title={minute(since)}>{t("chat.waits", { age: age(t, now - since) })}</span>
    </Tag>
  );
}

/** Links to the pages before and after. */
function Pages({ page, query }: { page: Page<ConversationRow>; query: ListQuery }) {
  const t = useT();
  const last = Math.max(1, Math.ceil(page.total / page.pageSize));
  if (last === 1) return null;
  const filters = withoutId(query.filters);
  const address = (current: number) => `/chat/conversation${listSearch({ ...query, filters }, { current })}`;
  return (
    <p className="chat-pages flex flex-wrap items-center gap-2 justify-center">
      {page.current > 1 && (
        <a className="ll-link" href={address(page.current - 1)}>
          {t("chat.newer")}
        </a>
      )}
      <span className="ll-quiet">{t("chat.pageOf", { page: page.current, last })}</span>
      {page.current < last && (
        <a className="ll-link" href={address(page.current + 1)}>
          {t("chat.older")}
        </a>
      )}
    </p>
  );
}

/** Exports the conversations that the address filters. */
function Export({ query, total }: { query: ListQuery; total: number }) {
  const t = useT();
  const [overlays, open] = useOverlay();
  const ask = async () => {
    const { ExportDialog } = await import("../../../ui/export-dialog");
    await open((overlay) => (
      <ExportDialog
        overlay={overlay}
        path="/chat/user/page/export"
        search={listSearch(query)}
        total={total}
        all={COLUMNS}
        shown={COLUMNS}
      />
    ));
  };
  return (
    <>
      <Button look="text" icon="download" onClick={() => void ask()}>
        {t("ui.export")}
      </Button>
      {overlays}
    </>
  );
}

/** Finds customers by the form, and messages by its second button. */
function Search({ keyword }: { keyword: string }) {
  const t = useT();
  const [typed, setTyped] = useState(keyword);
  const [found, setFound] = useState<FoundMessages | null>(null);
  const [busy, setBusy] = useState(false);
  const look = async (before?: number) => {
    const text = typed.trim();
    if (!text || busy) return;
    setBusy(true);
    try {
      const next = await api.post<FoundMessages>("/chat/search", before === undefined ? { keyword: text } : { keyword: text, before });
      setFound((known) => ({ list: before === undefined ? next.list : [...(known?.list ?? []), ...next.list], before: next.before }));
    } catch {
      // The client has shown what was refused.
    } finally {
      setBusy(false);
    }
  };
  return (
    <search className="chat-search">
      <form action="/chat/conversation">
        <label>
          <span className="sr-only">{t("chat.search")}</span>
          <input
            className="ll-input"
            name="keyword"
            value={typed}
            maxLength={100}
            placeholder={t("chat.search")}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <Button type="submit">{t("chat.findCustomers")}</Button>
        <Button busy={busy} onClick={() => void look()}>
          {t("chat.findMessages")}
        </Button>
      </form>
      {found && (
        <div className="mt-2 rounded-box bg-fill-1 p-2" role="status">
          <p>
            {t(found.list.length ? "chat.found" : "chat.foundNone", { count: found.list.length })}{" "}
            <button className="ll-link" onClick={() => setFound(null)}>
              {t("ui.close")}
            </button>
          </p>
          <ul>
            {found.list.map(({ customerName, ...message }) => (
              <li key={message.id}>
                <a className="chat-row" href={`/chat/conversation?id=${message.conversationId}`}>
                  <span className="chat-row-head">
                    <b>{customerName}</b>
                    <time>{shortTime(message.at)}</time>
                  </span>
                  <span className="chat-row-text">
                    <span>{message.content}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {found.before !== null && (
            <Button look="text" busy={busy} onClick={() => void look(found.before ?? undefined)}>
              {t("chat.findMore")}
            </Button>
          )}
        </div>
      )}
    </search>
  );
}
