/** The fields and filters of the entries of accounts, for their list and the audit trail. */
import type { EntryRow } from "../../../lib/api-types";
import { entryKindCodes } from "../../../lib/codes";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { Reference } from "../reference";

export const entryFields: readonly Field<EntryRow>[] = [
  { key: "at", title: "entry.at", kind: "time", sort: true },
  { key: "orgName", title: "entry.orgName", link: toOrg },
  { key: "seq", title: "entry.seq", kind: "count" },
  {
    key: "kind",
    title: "entry.kind",
    kind: "enum",
    labels: "EntryKind",
    colors: {
      recharge: "green",
      gift: "cyan",
      lead_sale: "blue",
      refund: "purple",
      adjust_up: "orange",
      adjust_down: "orange",
      reversal: "red",
      visit_charge: "blue",
    },
  },
  { key: "amountCents", title: "entry.amountCents", kind: "money" },
  { key: "giftPartCents", title: "entry.giftPartCents", kind: "money" },
  { key: "balanceAfterCents", title: "entry.balanceAfterCents", kind: "money" },
  { key: "refNo", title: "entry.refNo", kind: "code", show: (row) => <Reference row={row} /> },
  { key: "operatorName", title: "entry.operatorName" },
  { key: "accountId", title: "entry.accountId", kind: "code", list: "hidden" },
  { key: "idemKey", title: "entry.idemKey", kind: "code", list: "hidden" },
  { key: "hash", title: "entry.hash", kind: "code", list: "hidden", short: true },
  { key: "hashedText", title: "entry.hashedText", list: "hidden", short: true },
];

export const entryFilters: readonly Filter[] = [
  { name: "keyword", label: "entry.keyword", kind: "text", placeholder: "entry.keywordHint" },
  { name: "orgId", label: "entry.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "kind", label: "entry.kind", kind: "select", options: { codes: entryKindCodes, labels: "EntryKind" } },
  { name: "at", label: "entry.at", kind: "days" },
];
