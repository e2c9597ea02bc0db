/** The fields and filters of the transfers of the journal. */
import type { JournalAccount, JournalRow } from "../../lib/api-types";
import { journalAccountCodes, transferStatusCodes } from "../../lib/codes";
import { text } from "../../lib/format";
import { useT } from "../../lib/i18n";
import { usePoints } from "../../lib/permissions";
import { formatQuery } from "../../lib/query-string";
import { type Field, labelOf } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";

interface Cause {
  /** The permission point that opens it. */
  point: string;
  href: (row: JournalRow) => string;
}

/** Where one sees what a transfer was posted for. */
const causes: Readonly<Record<string, Cause>> = {
  push_record: { point: "plan/push-list/list", href: ({ refNo }) => `/plan/push-list${formatQuery({ keyword: refNo })}` },
  receipt: { point: "org/receipt/list", href: ({ refId }) => `/org/receipt/${refId}` },
  recharge: { point: "finance/recharge/list", href: ({ refId }) => `/finance/recharge/${refId}` },
  account_adjustment: { point: "finance/account/list", href: ({ refNo }) => `/finance/account/adjustments${formatQuery({ keyword: refNo })}` },
  payment_order: { point: "payConfig/order-list/list", href: ({ refId }) => `/payConfig/order-list/${refId}` },
  payment_refund: { point: "payConfig/order-list/list", href: ({ refNo }) => `/payConfig/order-list/refunds${formatQuery({ keyword: refNo })}` },
  payment_exception: { point: "payConfig/order-list/list", href: ({ refNo }) => `/payConfig/order-list/exceptions${formatQuery({ keyword: refNo })}` },
};

/** The number of what a transfer was posted for, which opens it for viewers who may. */
function Reference({ row }: { row: JournalRow }) {
  const held = usePoints();
  const cause = causes[row.refType];
  if (!cause || !held.has(cause.point)) return text(row.refNo);
  return (
    <a className="ll-link" href={cause.href(row)}>
      {row.refNo}
    </a>
  );
}

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
    key: "debitKind", title: "transfer.debitKind", kind: "enum", labels: "JournalAccount",
    show: ({ debitKind, debitOwner }) => <Side kind={debitKind} owner={debitOwner} />,
  },
  { key: "debitName", title: "transfer.debitName" },
  {
    key: "creditKind", title: "transfer.creditKind", kind: "enum", labels: "JournalAccount",
    show: ({ creditKind, creditOwner }) => <Side kind={creditKind} owner={creditOwner} />,
  },
  { key: "creditName", title: "transfer.creditName" },
  { key: "amountCents", title: "transfer.amountCents", kind: "money" },
  {
    key: "status", title: "transfer.status", kind: "enum", labels: "TransferStatus",
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
