/** The fields and filters of the transfers of the journal. */
import type { JournalAccount, JournalRow } from "../../../lib/api-types";
import { journalAccountCodes, transferStatusCodes } from "../../../lib/codes";
import { useT } from "../../../lib/i18n";
import { formatQuery } from "../../../lib/query-string";
import { type Field, labelOf } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { Reference } from "../reference";

/** An account on one side, which leads to all its transfers. */
function Side({ kind, owner }: { kind: JournalAccount; owner: number }) {
  const t = useT();
  return (
    <a className="ll-link" href={`/finance/account/transfers${formatQuery({ kind, ownerId: owner })}`}>
      {labelOf(t, "JournalAccount", kind)}
    </a>
  );
}

export const transferFields: readonly Field<JournalRow>[] = [
  { key: "at", title: "transfer.at", kind: "time", sort: true },
  {
    key: "debitKind",
    title: "transfer.debitKind",
    kind: "enum",
    labels: "JournalAccount",
    show: ({ debitKind, debitOwner }) => <Side kind={debitKind} owner={debitOwner} />,
  },
  { key: "debitName", title: "transfer.debitName" },
  {
    key: "creditKind",
    title: "transfer.creditKind",
    kind: "enum",
    labels: "JournalAccount",
    show: ({ creditKind, creditOwner }) => <Side kind={creditKind} owner={creditOwner} />,
  },
  { key: "creditName", title: "transfer.creditName" },
  { key: "amountCents", title: "transfer.amountCents", kind: "money" },
  {
    key: "status",
    title: "transfer.status",
    kind: "enum",
    labels: "TransferStatus",
    colors: { pending: "orange", posted: "green", void: "gray" },
  },
  { key: "refNo", title: "transfer.refNo", kind: "code", show: (row) => <Reference row={row} /> },
  { key: "begunAt", title: "transfer.begunAt", kind: "time", list: "hidden" },
  { key: "id", title: "transfer.id", kind: "code", list: "hidden" },
];

export const transferFilters: readonly Filter[] = [
  { name: "kind", label: "transfer.account", kind: "select", options: { codes: journalAccountCodes, labels: "JournalAccount" } },
  { name: "orgId", label: "entry.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "transfer.status", kind: "select", options: { codes: transferStatusCodes, labels: "TransferStatus" } },
  { name: "ownerId", label: "transfer.owner", kind: "text" },
  { name: "at", label: "transfer.at", kind: "days" },
];
