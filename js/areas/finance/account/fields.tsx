/** An account's fields and filters, for list, detail, history and audit trail. */
import type { AccountRow } from "../../../lib/api-types";
import { accountHoldsCodes, accountStatusCodes, billModeCodes } from "../../../lib/codes";
import { count } from "../../../lib/format";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** A number with a link to the list of what it counts; 0 has no link. */
const linked = (number: number, href: string) =>
  number === 0 ? (
    count(number)
  ) : (
    <a className="ll-link" href={href}>
      {count(number)}
    </a>
  );

export const accountFields: readonly Field<AccountRow>[] = [
  { key: "orgName", title: "account.orgName", sort: true },
  { key: "orgCode", title: "account.orgCode", kind: "code", copy: true, list: "hidden" },
  { key: "billMode", title: "account.billMode", kind: "enum", labels: "BillMode" },
  { key: "status", title: "account.status", kind: "enum", labels: "AccountStatus", colors: { normal: "green", frozen: "red" } },
  { key: "balanceCents", title: "account.balanceCents", kind: "money", sort: true, total: true },
  { key: "giftCents", title: "account.giftCents", kind: "money", sort: true, total: true },
  { key: "frozenCents", title: "account.frozenCents", kind: "money", sort: true, total: true },
  { key: "creditLimitCents", title: "account.creditLimitCents", kind: "money", total: true, list: "hidden" },
  { key: "availableCents", title: "account.availableCents", kind: "money", total: true },
  {
    key: "adjustmentsOpen",
    title: "account.adjustmentsOpen",
    list: "hidden",
    kind: "count",
    file: false,
    show: ({ id, adjustmentsOpen }) => linked(adjustmentsOpen, `/finance/account/adjustments?orgId=${id}&status=pending`),
  },
  {
    key: "statementsOpen",
    title: "account.statementsOpen",
    list: "hidden",
    kind: "count",
    file: false,
    show: ({ id, statementsOpen }) => linked(statementsOpen, `/finance/account/statements?orgId=${id}&status=sent`),
  },
  { key: "totalRechargeCents", title: "account.totalRechargeCents", kind: "money", sort: true, total: true, list: "hidden" },
  { key: "totalGiftCents", title: "account.totalGiftCents", kind: "money", total: true, list: "hidden" },
  { key: "totalSpendCents", title: "account.totalSpendCents", kind: "money", sort: true, total: true, list: "hidden" },
  { key: "totalAdjustCents", title: "account.totalAdjustCents", kind: "money", total: true, list: "hidden" },
  { key: "statusNote", title: "account.statusNote", list: "hidden" },
];

export const accountFilters: readonly Filter[] = [
  { name: "keyword", label: "account.keyword", kind: "text", placeholder: "account.keywordHint" },
  { name: "billMode", label: "account.billMode", kind: "select", options: { codes: billModeCodes, labels: "BillMode" } },
  { name: "status", label: "account.status", kind: "select", options: { codes: accountStatusCodes, labels: "AccountStatus" } },
  { name: "holds", label: "account.holds", kind: "select", options: { codes: accountHoldsCodes, labels: "AccountHolds" } },
];
