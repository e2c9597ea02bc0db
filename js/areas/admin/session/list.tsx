/** /admin/session: who is signed in right now, from where, and how to sign them out. */
import type { SessionRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { notify } from "../../../lib/toast";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { type BatchAction, type List, ListPage, type RowAction } from "../../../ui/list-page";

export const fields: readonly Field<SessionRow>[] = [
  {
    key: "username",
    title: "admin.username",
    show: ({ username, current }, t) =>
      current ? (
        <>
          {username} <span className="ll-tag ll-tag-blue">{t("session.current")}</span>
        </>
      ) : (
        username
      ),
  },
  { key: "realName", title: "admin.realName" },
  { key: "roleName", title: "session.role" },
  { key: "orgName", title: "admin.org", show: ({ orgName }, t) => orgName ?? t("admin.platform"), short: true },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "browser", title: "logs.browser" },
  { key: "os", title: "logs.os", list: "hidden" },
  { key: "createdAt", title: "session.createdAt", kind: "time", sort: true },
  { key: "lastSeenAt", title: "session.lastSeenAt", kind: "time", sort: true },
  { key: "expiresAt", title: "session.expiresAt", kind: "time", list: "hidden" },
];

const filters: readonly Filter[] = [
  { name: "keyword", label: "admin.keyword", kind: "text", placeholder: "admin.keywordHint" },
  { name: "roleId", label: "session.role", kind: "select", options: { load: "roles" } },
  { name: "ip", label: "logs.ip", kind: "text" },
];

export const actions: readonly RowAction<SessionRow>[] = [
  { label: "session.end", point: "revoke", danger: true, when: ({ current }) => !current, run: end },
];
const batch: readonly BatchAction<SessionRow>[] = [{ label: "session.end", icon: "logout", point: "revoke", danger: true, run: endAll }];

export default function Sessions() {
  return (
    <ListPage
      title="session.title"
      empty="session.empty"
      api="/session"
      points="admin/session"
      fields={fields}
      filters={filters}
      actions={actions}
      batch={batch}
    />
  );
}

async function end({ id, username, realName }: SessionRow, { t, confirm, reload }: List) {
  const title = t("session.endTitle", { name: realName || username });
  if (!(await confirm({ title, text: t("session.endText"), confirm: t("session.end"), danger: true }))) return;
  await api.del(`/session/${id}`);
  await reload("session.ended");
}

/** Ends the picked sessions but one's own; stops at the first refusal, which the client shows. */
async function endAll(rows: readonly SessionRow[], { t, confirm, reload }: List) {
  const others = rows.filter(({ current }) => !current);
  if (others.length === 0) return notify("info", t("session.onlyCurrent"));
  const title = t("session.endManyTitle", { count: others.length });
  if (!(await confirm({ title, text: t("session.endText"), confirm: t("session.end"), danger: true }))) return;
  for (const { id } of others) await api.del(`/session/${id}`);
  await reload("session.ended");
}
