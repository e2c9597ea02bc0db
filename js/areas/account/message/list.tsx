/** /account/message: all of one's messages, notices and todos. */

import { api, ApiError } from "../../../lib/api";
import type { MessageKind, MessageList, MessageRow, Unread } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { usePageData, useReload } from "../../../lib/props";
import { formatQuery } from "../../../lib/query-string";
import { useLocation } from "../../../lib/visit";
import { Button, buttonClass } from "../../../ui/button";
import { type Filter, FilterButton, ListFilter } from "../../../ui/list-filter";
import { EmptyList, FailedList } from "../../../ui/list-state";
import { confirm, useOverlay } from "../../../ui/overlay";
import { MessageContent, messageKinds } from "../../../shell/message-entry";
import { keepUnread } from "../../../shell/unread";

const filters: readonly Filter[] = [
  { name: "status", label: "messages.status", kind: "select", options: { codes: ["0", "1"], labels: "messages.status" } },
  { name: "time", label: "messages.time", kind: "days" },
];

export default function Messages() {
  const t = useT();
  const { pathname, search } = useLocation();
  const query = useListQuery();
  const reload = useReload();
  const [overlays, open] = useOverlay();
  const answer = usePageData<MessageList | null>("list");
  const { type, before, ...narrowed } = query.filters;
  const kind = messageKinds.find((each) => each === type);
  const page = answer.code === "0000" ? answer.data : null;
  const address = (change: Record<string, string | undefined>) => pathname + formatQuery({ type, ...narrowed, ...change });

  /** Marks some of them and reloads the list; the client shows refusals. */
  const mark = async (call: "read" | "clear", which: object) => {
    try {
      keepUnread(await api.post<Unread>(`/message/${call}`, which));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    await reload();
  };
  const clearAll = async (all: MessageKind) => {
    const agreed = await confirm(open, {
      title: t("messages.clearTitle", { type: t(`messages.type.${all}`) }),
      text: t("messages.clearText"),
      confirm: t("messages.clear"),
      danger: true,
    });
    if (agreed) await mark("clear", { type: all });
  };
  const count = (each: MessageKind) => (page && page.unread[each] > 0 ? ` (${page.unread[each] > 99 ? "99+" : page.unread[each]})` : "");

  return (
    <>
      <div className="ll-card">
        <h1 className="ll-title">{t("messages.all")}</h1>
        <nav className="message-tabs" aria-label={t("messages.types")}>
          <a href={pathname} aria-current={kind ? undefined : "page"}>
            {t("ui.all")}
          </a>
          {messageKinds.map((each) => (
            <a key={each} href={pathname + formatQuery({ type: each })} aria-current={each === kind ? "page" : undefined}>
              {t(`messages.type.${each}`)}
              {count(each)}
            </a>
          ))}
        </nav>
        <ListFilter filters={filters} query={query} pathname={pathname + formatQuery({ type: kind })} kept={["type"]} />
        <div className="ll-toolbar">
          <FilterButton filters={filters} query={query} />
          {page && kind && page.list.length > 0 && (
            <>
              <Button disabled={page.unread[kind] === 0} onClick={() => void mark("read", { type: kind })}>
                {t("messages.allRead")}
              </Button>
              <Button onClick={() => void clearAll(kind)}>{t("messages.clear")}</Button>
            </>
          )}
        </div>
        {page === null ? (
          <FailedList answer={answer} address={pathname + search} />
        ) : page.list.length === 0 ? (
          <EmptyList
            filtered={Object.keys(narrowed).length > 0}
            beyond={before !== undefined}
            pathname={pathname + formatQuery({ type: kind })}
            hint={t("messages.hint")}
          />
        ) : (
          <ul className="message-list" aria-label={t("messages.all")}>
            {page.list.map((row) => (
              <li key={row.id}>
                <Entry row={row} />
                <div className="message-acts">
                  {row.link !== null && (
                    <a
                      className={buttonClass("text", true)}
                      href={row.link}
                      onClick={() => row.status === 0 && void mark("read", { ids: [row.id] })}
                    >
                      {t("messages.open")}
                      <span className="sr-only"> {row.title}</span>
                    </a>
                  )}
                  {row.status === 0 && (
                    <Button small look="text" onClick={() => void mark("read", { ids: [row.id] })}>
                      {t("messages.markRead")}
                      <span className="sr-only"> {row.title}</span>
                    </Button>
                  )}
                  <Button small look="text" onClick={() => void mark("clear", { ids: [row.id] })}>
                    {t("messages.hide")}
                    <span className="sr-only"> {row.title}</span>
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        {page && (before !== undefined || page.next !== null) && (
          <nav className="message-turn" aria-label={t("ui.pagination")}>
            {before !== undefined && (
              <a className={buttonClass()} href={address({ before: undefined })}>
                {t("messages.newest")}
              </a>
            )}
            {page.next !== null && (
              <a className={buttonClass()} href={address({ before: page.next })}>
                {t("messages.older")}
              </a>
            )}
          </nav>
        )}
      </div>
      {overlays}
    </>
  );
}

function Entry({ row }: { row: MessageRow }) {
  return (
    <div className={`app-message${row.status === 0 ? " is-unread" : ""}`}>
      <MessageContent row={row} href={`/account/message/${row.id}`} />
    </div>
  );
}
