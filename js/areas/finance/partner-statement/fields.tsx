/** The fields and filters of statements of channels, for list, detail, history and audit trail. */
import type { PartnerStatementRow } from "../../../lib/api-types";
import { partnerStatementStatusCodes } from "../../../lib/codes";
import { count, EMPTY } from "../../../lib/format";
import { formatQuery } from "../../../lib/query-string";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import { proofLinks } from "../proofs";
import type headings from "./headings.zh.json";

type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Headings {}
}

export const partnerStatementFields: readonly Field<PartnerStatementRow>[] = [
  { key: "statementNo", title: "partnerStatement.statementNo", kind: "code", copy: true },
  { key: "channelName", title: "partnerStatement.channelName", short: true, link: toChannel },
  { key: "month", title: "partnerStatement.month", kind: "code", sort: true },
  {
    key: "status",
    title: "partnerStatement.status",
    kind: "enum",
    labels: "PartnerStatementStatus",
    sort: true,
    colors: { draft: "gray", sent: "blue", confirmed: "green", disputed: "red" },
  },
  {
    // The person who requested a confirmation by other means and may not decide on it.
    key: "decision",
    title: "partnerStatement.decision",
    short: true,
    file: false,
    show: ({ decision }, t) =>
      decision ? reviewers(decision, t, t("partner.confirmWaits", { names: decision.makerNames, reason: decision.note ?? "" })) : EMPTY,
  },
  { key: "totalCents", title: "partnerStatement.totalCents", kind: "money", sort: true, total: true, list: "hidden" },
  { key: "taxCents", title: "partnerStatement.taxCents", kind: "money", total: true, list: "hidden" },
  { key: "netCents", title: "partnerStatement.netCents", kind: "money", total: true },
  { key: "paidCents", title: "partnerStatement.paidCents", kind: "money", total: true, list: "hidden" },
  {
    key: "items",
    title: "partnerStatement.items",
    list: "hidden",
    kind: "count",
    total: true,
    show: ({ id, items }) =>
      id === 0 ? (
        count(items)
      ) : (
        <a className="ll-link" href={`/finance/partner/items${formatQuery({ statementId: id })}`}>
          {count(items)}
        </a>
      ),
  },
  { key: "openingCents", title: "partnerStatement.openingCents", kind: "money", list: "hidden" },
  { key: "visitCents", title: "partnerStatement.visitCents", kind: "money", list: "hidden", total: true },
  { key: "registeredCents", title: "partnerStatement.registeredCents", kind: "money", list: "hidden", total: true },
  { key: "soldCents", title: "partnerStatement.soldCents", kind: "money", list: "hidden", total: true },
  { key: "shareCents", title: "partnerStatement.shareCents", kind: "money", list: "hidden", total: true },
  { key: "returnedCents", title: "partnerStatement.returnedCents", kind: "money", list: "hidden", total: true },
  { key: "shareBackCents", title: "partnerStatement.shareBackCents", kind: "money", list: "hidden", total: true },
  { key: "adjustCents", title: "partnerStatement.adjustCents", kind: "money", list: "hidden", total: true },
  { key: "carriedCents", title: "partnerStatement.carriedCents", kind: "money", list: "hidden", total: true },
  { key: "taxBp", title: "partnerStatement.taxBp", kind: "basisPoints", list: "hidden" },
  { key: "askedCents", title: "partnerStatement.askedCents", kind: "money", list: "hidden", file: false, total: true },
  { key: "settledCents", title: "partnerStatement.settledCents", kind: "money", list: "hidden", total: true },
  { key: "closingCents", title: "partnerStatement.closingCents", kind: "money", list: "hidden" },
  { key: "sentAt", title: "partnerStatement.sentAt", kind: "time", list: "hidden" },
  { key: "linkEndsAt", title: "partnerStatement.linkEndsAt", kind: "time", list: "hidden" },
  { key: "answeredAt", title: "partnerStatement.answeredAt", kind: "time", list: "hidden" },
  { key: "answerNote", title: "partnerStatement.answerNote", list: "hidden" },
  { key: "answerIp", title: "partnerStatement.answerIp", kind: "code", list: "hidden" },
  { key: "answerUserAgent", title: "partnerStatement.answerUserAgent", list: "hidden" },
  { key: "confirmerName", title: "partnerStatement.confirmerName", list: "hidden" },
  {
    key: "proofFiles",
    title: "partnerStatement.proofFiles",
    list: "hidden",
    file: false,
    show: ({ proofFiles }) => proofLinks(proofFiles),
  },
  { key: "createdAt", title: "partnerStatement.createdAt", kind: "time", list: "hidden", file: false },
];

export const partnerStatementFilters: readonly Filter[] = [
  { name: "keyword", label: "partner.keyword", kind: "text", placeholder: "partner.statementHint" },
  { name: "channelId", label: "partnerStatement.channelName", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "month", label: "partnerStatement.month", kind: "text", placeholder: "statement.monthHint" },
  {
    name: "status",
    label: "partnerStatement.status",
    kind: "select",
    options: { codes: partnerStatementStatusCodes, labels: "PartnerStatementStatus" },
  },
  { name: "awaits", label: "partner.awaits", kind: "select", options: { codes: ["decision"], labels: "partner.awaits" } },
];

/** Titles of keys that are in a statement's history and not among its details. */
export const partnerStatementTitles: FieldTitles = { confirmationAsked: "partnerStatement.decision" };
