/** Where one has signed in from, and who else tried to. */
import type { LoginRow, Page } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import type { ListQuery } from "../../../lib/list-query";
import type { Envelope } from "../../../lib/types";
import type { Field } from "../../../ui/field";
import { FailedList, State } from "../../../ui/list-state";
import { ListTable } from "../../../ui/list-table";
import { Pagination } from "../../../ui/pagination";

const fields: readonly Field<LoginRow>[] = [
  { key: "at", title: "logs.at", kind: "time" },
  {
    key: "result",
    title: "logs.result",
    kind: "enum",
    labels: "LoginResult",
    colors: { ok: "green", wrong: "red", confirmed: "blue", denied: "orange", outside: "red" },
  },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "userAgent", title: "logs.userAgent" },
];

interface LoginsProps {
  answer: Envelope<Page<LoginRow> | null>;
  query: ListQuery;
  pathname: string;
}

export function Logins({ answer, query, pathname }: LoginsProps) {
  const t = useT();
  const page = answer.data;
  if (page === null) return <FailedList answer={answer} address={`${pathname}?tab=logins`} />;
  if (page.list.length === 0) return <State icon="history" title={t("ui.empty")} />;
  return (
    <>
      <ListTable
        label={t("account.logins")}
        rows={page.list}
        fields={fields}
        query={query}
        pathname={pathname}
        density="normal"
        loading={false}
      />
      <Pagination pathname={pathname} query={query} total={page.total} totalIsExact={page.totalIsExact} />
    </>
  );
}
