/** /crm/money-days: confirmed money by day. */
import type { OrgMoneyDay } from "../../../lib/api-types";
import { count } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { usePageData } from "../../../lib/props";
import { formatQuery } from "../../../lib/query-string";
import type { Field } from "../../../ui/field";
import { type Filter, FilterButton, ListFilter } from "../../../ui/list-filter";
import { EmptyList, FailedList } from "../../../ui/list-state";
import { ListTable } from "../../../ui/list-table";
import { CrmTabs } from "../tabs";

const PATH = "/crm/money-days";

const filters: readonly Filter[] = [
  { name: "day", label: "moneyDay.day", kind: "days" },
  { name: "orgId", label: "money.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
];

/** The columns; the number of records leads to the records of the day. */
const fieldsOf = (orgId: string | undefined): readonly Field<OrgMoneyDay>[] => [
  { key: "day", title: "moneyDay.day", kind: "code" },
  { key: "loanCents", title: "money.loanCents", kind: "money", total: true },
  { key: "feeCents", title: "moneyDay.feeCents", kind: "money", total: true },
  { key: "refundCents", title: "moneyDay.refundCents", kind: "money", total: true },
  { key: "netCents", title: "moneyDay.netCents", kind: "money", total: true },
  {
    key: "count",
    title: "moneyDay.count",
    kind: "count",
    total: true,
    show: ({ id, day, count: records }) =>
      id === 0 ? (
        count(records)
      ) : (
        <a className="ll-link" href={`/crm/money${formatQuery({ status: "confirmed", paidFrom: day, paidTo: day, orgId })}`}>
          {count(records)}
        </a>
      ),
  },
];

/** All days together; the number of records is no link. */
function totalOf(days: readonly OrgMoneyDay[]): OrgMoneyDay {
  const sum = (key: "loanCents" | "feeCents" | "refundCents" | "netCents" | "count") => days.reduce((total, day) => total + day[key], 0);
  return {
    id: 0,
    day: "",
    loanCents: sum("loanCents"),
    feeCents: sum("feeCents"),
    refundCents: sum("refundCents"),
    netCents: sum("netCents"),
    count: sum("count"),
  };
}

export default function MoneyDays() {
  const t = useT();
  const answer = usePageData<OrgMoneyDay[] | null>("days");
  const query = useListQuery();
  const days = answer.code === "0000" ? (answer.data ?? []) : null;
  return (
    <>
      <CrmTabs current={PATH} />
      <div className="ll-card">
        <h1 className="ll-title">{t("moneyDay.title")}</h1>
        <ListFilter filters={filters} query={query} pathname={PATH} />
        <div className="ll-toolbar">
          <FilterButton filters={filters} query={query} />
        </div>
        {days === null ? (
          <FailedList answer={answer} address={PATH} />
        ) : days.length === 0 ? (
          <EmptyList filtered={Object.keys(query.filters).length > 0} beyond={false} pathname={PATH} hint={t("moneyDay.empty")} />
        ) : (
          <ListTable
            label={t("moneyDay.title")}
            rows={days}
            totals={totalOf(days)}
            fields={fieldsOf(query.filters["orgId"])}
            query={query}
            pathname={PATH}
            density="normal"
            loading={false}
          />
        )}
      </div>
    </>
  );
}
