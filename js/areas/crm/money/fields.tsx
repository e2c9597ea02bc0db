/** The fields and filters of money, for the list, the page of a clue, the history and the audit trail. */
import type { MoneyRow } from "../../../lib/api-types";
import { moneyStatusCodes, moneyTypeCodes, payMethodCodes } from "../../../lib/codes";
import { EMPTY, money } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toOrg, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";

export const moneyFields: readonly Field<MoneyRow>[] = [
  { key: "no", title: "money.no", kind: "code", sort: true, copy: true },
  {
    key: "clueNo",
    title: "money.clueNo",
    list: "hidden",
    kind: "code",
    show: ({ clueId, clueNo }) => (
      <a className="ll-link" href={`/crm/clue/${clueId}`}>
        {clueNo}
      </a>
    ),
  },
  { key: "nameMask", title: "money.nameMask" },
  { key: "type", title: "money.type", kind: "enum", labels: "MoneyType" },
  {
    // The totals row adds up confirmed records, refunds subtracted.
    key: "amountCents",
    title: "money.amountCents",
    kind: "money",
    sort: true,
    total: true,
    show: ({ id, type, amountCents }, t) => {
      const amount = money(type === "refund" ? -amountCents : amountCents);
      return id === 0 ? t("money.confirmedTotal", { amount }) : amount;
    },
  },
  {
    key: "loanCents",
    title: "money.loanCents",
    kind: "money",
    total: true,
    show: ({ id, loanCents }, t) =>
      loanCents === null ? EMPTY : id === 0 ? t("money.confirmedTotal", { amount: money(loanCents) }) : money(loanCents),
  },
  {
    key: "status",
    title: "money.status",
    kind: "enum",
    labels: "MoneyStatus",
    sort: true,
    colors: { pending: "blue", confirmed: "green", rejected: "red", void: "gray" },
  },
  {
    // The makers of the record, who may not decide on it.
    key: "decision",
    title: "money.decision",
    list: "hidden",
    file: false,
    show: ({ decision, status }, t) => (decision && status === "pending" ? reviewers(decision, t) : EMPTY),
  },
  { key: "paidAt", title: "money.paidAt", kind: "time", sort: true },
  { key: "payMethod", title: "money.payMethod", kind: "enum", labels: "PayMethod", list: "hidden" },
  { key: "bankSerial", title: "money.bankSerial", kind: "code", copy: true, list: "hidden" },
  { key: "salesName", title: "money.salesName" },
  { key: "subOrgName", title: "money.subOrgName", list: "hidden", link: toTeam },
  { key: "orgName", title: "money.orgName", list: "hidden", link: toOrg },
  {
    key: "proofFiles",
    title: "money.proofFiles",
    list: "hidden",
    file: false,
    show: ({ proofFiles }) =>
      proofFiles.length === 0
        ? EMPTY
        : proofFiles.map(({ id, name, url }) => (
            <a key={id} className="ll-link" href={url} target="_blank" rel="noreferrer">
              {name}{" "}
            </a>
          )),
  },
  { key: "creatorName", title: "money.creatorName", list: "hidden" },
  { key: "reviewerName", title: "money.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "money.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "money.reviewNote", list: "hidden" },
  { key: "remark", title: "money.remark", list: "hidden" },
  { key: "createdAt", title: "money.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "money.updatedAt", kind: "time", list: "hidden" },
];

export const moneyFilters: readonly Filter[] = [
  { name: "keyword", label: "money.keyword", kind: "text", placeholder: "money.keywordHint" },
  { name: "status", label: "money.status", kind: "select", options: { codes: moneyStatusCodes, labels: "MoneyStatus" } },
  { name: "paid", label: "money.paidAt", kind: "days" },
  { name: "awaits", label: "money.awaits", kind: "select", options: { codes: ["decision"], labels: "money.awaits" } },
  { name: "type", label: "money.type", kind: "select", options: { codes: moneyTypeCodes, labels: "MoneyType" } },
  { name: "salesId", label: "money.salesName", kind: "select", options: { load: "people", search: "/crm/salesperson/options?all=true" } },
  { name: "subOrgId", label: "money.subOrgName", kind: "select", options: { load: "teams", search: "/crm/subOrg/options" } },
  { name: "orgId", label: "money.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "payMethod", label: "money.payMethod", kind: "select", options: { codes: payMethodCodes, labels: "PayMethod" } },
];

/** Titles of keys that are in a history or a filter and not among the fields. */
export const moneyTitles: FieldTitles = {
  version: "logs.version",
  clueId: "money.clueNo",
  subOrgId: "money.subOrgName",
  anotherPayment: "finance.notThePaymentOf",
};
