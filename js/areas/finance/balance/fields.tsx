/** The fields and filters of the balances of the journal's accounts. */

import type { BalanceRow } from "../../../lib/api-types";
import { journalAccountCodes } from "../../../lib/codes";
import { useT } from "../../../lib/i18n";
import { readListQuery } from "../../../lib/list-query";
import { formatQuery } from "../../../lib/query-string";
import { useLocation } from "../../../lib/visit";
import { type Field, labelOf } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** The sum of a kind links to its accounts, an account to its transfers; the totals row has no link. */
function Account({ row: { kind, ownerId } }: { row: BalanceRow }) {
  const t = useT();
  const { filters } = readListQuery(useLocation().search);
  if (kind === null) return null;
  const href = filters["kind"]
    ? `/finance/account/transfers${formatQuery({ kind, ownerId })}`
    : `/finance/account/balances${formatQuery({ kind, atTo: filters["atTo"] })}`;
  return (
    <a className="ll-link" href={href}>
      {labelOf(t, "JournalAccount", kind)}
    </a>
  );
}

export const balanceFields: readonly Field<BalanceRow>[] = [
  { key: "kind", title: "balance.kind", kind: "enum", labels: "JournalAccount", show: (row) => <Account row={row} /> },
  { key: "name", title: "balance.name" },
  { key: "debitCents", title: "balance.debitCents", kind: "money", total: true },
  { key: "creditCents", title: "balance.creditCents", kind: "money", total: true },
  { key: "pendingCents", title: "balance.pendingCents", kind: "money", total: true },
];

export const balanceFilters: readonly Filter[] = [
  { name: "atTo", label: "balance.at", kind: "day" },
  { name: "kind", label: "balance.accounts", kind: "select", options: { codes: journalAccountCodes, labels: "JournalAccount" } },
];
