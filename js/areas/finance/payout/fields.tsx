/** The fields and filters of payouts to channels, for list, detail, history and audit trail. */
import type { PayoutRow } from "../../../lib/api-types";
import { payoutStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toChannel, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import { proofLinks } from "../proofs";

export const payoutFields: readonly Field<PayoutRow>[] = [
  { key: "payoutNo", title: "payout.payoutNo", kind: "code", copy: true },
  { key: "channelName", title: "payout.channelName", short: true, link: toChannel },
  {
    key: "statementNo",
    title: "payout.statementNo",
    list: "hidden",
    kind: "code",
    show: ({ statementId, statementNo }) =>
      statementId === 0 ? (
        EMPTY
      ) : (
        <a className="ll-link" href={`/finance/partner/${statementId}`}>
          {statementNo}
        </a>
      ),
  },
  { key: "month", title: "payout.month", kind: "code", list: "hidden" },
  { key: "amountCents", title: "payout.amountCents", kind: "money", sort: true, total: true },
  { key: "taxCents", title: "payout.taxCents", kind: "money", total: true, list: "hidden" },
  {
    key: "status",
    title: "payout.status",
    kind: "enum",
    labels: "PayoutStatus",
    sort: true,
    colors: { waiting: "blue", approved: "orange", refused: "red", paid: "green", failed: "red", withdrawn: "gray", returned: "red" },
  },
  {
    // The person who requested it and may not decide on it.
    key: "decision",
    title: "payout.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => (decision && status === "waiting" ? reviewers(decision, t) : EMPTY),
  },
  { key: "payeeOrgName", title: "payout.payeeOrgName", list: "hidden", link: toPayee },
  { key: "bankNumber", title: "payout.bankNumber", kind: "code", copy: true, list: "hidden" },
  { key: "paidAt", title: "payout.paidAt", kind: "time" },
  { key: "beforeBooks", title: "payout.beforeBooks", kind: "flag", list: "hidden" },
  { key: "proofFiles", title: "payout.proofFiles", list: "hidden", file: false, show: ({ proofFiles }) => proofLinks(proofFiles) },
  { key: "failure", title: "payout.failure", list: "hidden" },
  { key: "returnedAt", title: "payout.returnedAt", kind: "time", list: "hidden" },
  { key: "returnNumber", title: "payout.returnNumber", kind: "code", copy: true, list: "hidden" },
  { key: "returnReason", title: "payout.returnReason", list: "hidden" },
  { key: "returnerName", title: "payout.returnerName", list: "hidden" },
  { key: "remark", title: "payout.remark", list: "hidden" },
  { key: "creatorName", title: "payout.creatorName", list: "hidden" },
  { key: "reviewerName", title: "payout.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "payout.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "payout.reviewNote", list: "hidden" },
  { key: "createdAt", title: "payout.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "payout.updatedAt", kind: "time", list: "hidden", file: false },
];

/** Titles of keys that are in a payout's history and not among the fields. */
export const payoutTitles: FieldTitles = { anotherPayment: "finance.notThePaymentOf" };

export const payoutFilters: readonly Filter[] = [
  { name: "keyword", label: "partner.keyword", kind: "text", placeholder: "partner.payoutHint" },
  { name: "channelId", label: "payout.channelName", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "status", label: "payout.status", kind: "select", options: { codes: payoutStatusCodes, labels: "PayoutStatus" } },
  { name: "payeeOrgId", label: "payout.payeeOrgName", kind: "select", options: { load: "payees" } },
  { name: "created", label: "payout.createdAt", kind: "days" },
];
