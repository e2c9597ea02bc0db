/** A statement's fields and filters, for list, detail, history and audit trail. */
import type { StatementRow } from "../../../lib/api-types";
import { statementStatusCodes } from "../../../lib/codes";
import { addDays, addMonths } from "../../../lib/days";
import { count } from "../../../lib/format";
import { formatQuery } from "../../../lib/query-string";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** The list of the entries of an account in a month. */
function entriesOf({ orgId, month }: StatementRow): string {
  const first = `${month}-01`;
  return `/finance/account/entries${formatQuery({ orgId, atFrom: first, atTo: addDays(addMonths(first, 1), -1) })}`;
}

export const statementFields: readonly Field<StatementRow>[] = [
  { key: "month", title: "statement.month", kind: "code", sort: true },
  { key: "orgName", title: "statement.orgName", short: true, link: toOrg },
  { key: "openingCents", title: "statement.openingCents", kind: "money" },
  { key: "rechargeCents", title: "statement.rechargeCents", kind: "money" },
  { key: "giftCents", title: "statement.giftCents", kind: "money", list: "hidden" },
  { key: "adjustCents", title: "statement.adjustCents", kind: "money", list: "hidden" },
  { key: "spendCents", title: "statement.spendCents", kind: "money" },
  { key: "refundCents", title: "statement.refundCents", kind: "money", list: "hidden" },
  { key: "closingCents", title: "statement.closingCents", kind: "money" },
  {
    key: "entries",
    title: "statement.entries",
    list: "hidden",
    kind: "count",
    show: (row) => (
      <a className="ll-link" href={entriesOf(row)}>
        {count(row.entries)}
      </a>
    ),
  },
  {
    key: "status",
    title: "statement.status",
    kind: "enum",
    labels: "StatementStatus",
    sort: true,
    colors: { draft: "gray", sent: "blue", confirmed: "green", disputed: "red" },
  },
  { key: "note", title: "statement.note", list: "hidden" },
  { key: "sentAt", title: "statement.sentAt", kind: "time", list: "hidden" },
  { key: "ledgerHead", title: "statement.ledgerHead", kind: "code", list: "hidden", copy: true },
  { key: "answeredName", title: "statement.answeredName", list: "hidden" },
  { key: "answeredAt", title: "statement.answeredAt", kind: "time", list: "hidden" },
  { key: "createdAt", title: "statement.createdAt", kind: "time", list: "hidden", file: false },
];

export const statementFilters: readonly Filter[] = [
  { name: "orgId", label: "statement.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "month", label: "statement.month", kind: "text", placeholder: "statement.monthHint" },
  { name: "status", label: "statement.status", kind: "select", options: { codes: statementStatusCodes, labels: "StatementStatus" } },
];
