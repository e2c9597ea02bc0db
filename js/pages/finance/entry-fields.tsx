/** The fields and filters of the entries of accounts, for their list and the audit trail. */
import type { EntryRow } from "../../lib/api-types";
import { entryKindCodes } from "../../lib/codes";
import { text } from "../../lib/format";
import { usePoints } from "../../lib/permissions";
import { formatQuery } from "../../lib/query-string";
import type { Field } from "../../ui/field";
import type { Filter } from "../../ui/list-filter";

interface Cause {
  /** The permission point that opens it. */
  point: string;
  href: (row: EntryRow) => string;
}

/** Where one sees what an entry was posted for. */
const causes: Readonly<Record<string, Cause>> = {
  push_record: { point: "plan/push-list/list", href: ({ refNo }) => `/plan/push-list${formatQuery({ keyword: refNo })}` },
  receipt: { point: "org/receipt/list", href: ({ refId }) => `/org/receipt/${refId}` },
  recharge: { point: "finance/recharge/list", href: ({ refId }) => `/finance/recharge/${refId}` },
  account_adjustment: { point: "finance/account/list", href: ({ refNo }) => `/finance/account/adjustments${formatQuery({ keyword: refNo })}` },
  payment_refund: { point: "payConfig/order-list/list", href: ({ refNo }) => `/payConfig/order-list/refunds${formatQuery({ keyword: refNo })}` },
};

/** The number of what an entry was posted for, which opens it for viewers who may. */
function Reference({ row }: { row: EntryRow }) {
  const held = usePoints();
  const cause = causes[row.refType];
  if (!cause || !held.has(cause.point)) return text(row.refNo);
  return (
    <a className="ll-link" href={cause.href(row)}>
      {row.refNo}
    </a>
  );
}

export const entryFields: readonly Field<EntryRow>[] = [
  { key: "at", title: "entry.at", kind: "time", sort: true },
  { key: "orgName", title: "entry.orgName" },
  { key: "seq", title: "entry.seq", kind: "count" },
  {
    key: "kind", title: "entry.kind", kind: "enum", labels: "EntryKind",
    colors: { recharge: "green", gift: "cyan", lead_sale: "blue", refund: "purple", adjust_up: "orange", adjust_down: "orange", reversal: "red" },
  },
  { key: "amountCents", title: "entry.amountCents", kind: "money" },
  { key: "giftPartCents", title: "entry.giftPartCents", kind: "money" },
  { key: "balanceAfterCents", title: "entry.balanceAfterCents", kind: "money" },
  { key: "refNo", title: "entry.refNo", kind: "code", show: (row) => <Reference row={row} /> },
  { key: "operatorName", title: "entry.operatorName" },
];

export const entryFilters: readonly Filter[] = [
  { name: "keyword", label: "entry.keyword", kind: "text", placeholder: "entry.keywordHint" },
  { name: "orgId", label: "entry.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "kind", label: "entry.kind", kind: "select", options: { codes: entryKindCodes, labels: "EntryKind" } },
  { name: "at", label: "entry.at", kind: "days" },
];
