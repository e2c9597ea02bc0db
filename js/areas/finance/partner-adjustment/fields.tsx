/** The fields and filters of corrections of channels' statements, for their list and the audit trail. */
import type { PartnerAdjustmentRow } from "../../../lib/api-types";
import { partnerAdjustmentStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { type Field, toChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import type headings from "./headings.zh.json";

type Headings = typeof headings;

declare module "../../../lib/messages" {
  interface Texts extends Headings {}
}

export const partnerAdjustmentFields: readonly Field<PartnerAdjustmentRow>[] = [
  { key: "adjustmentNo", title: "partnerAdjustment.adjustmentNo", kind: "code" },
  { key: "channelName", title: "partnerAdjustment.channelName", short: true, link: toChannel },
  {
    key: "statementNo",
    title: "partnerAdjustment.statementNo",
    kind: "code",
    show: ({ statementId, statementNo }) => (
      <a className="ll-link" href={`/finance/partner/${statementId}`}>
        {statementNo}
      </a>
    ),
  },
  { key: "amountCents", title: "partnerAdjustment.amountCents", kind: "money" },
  { key: "reason", title: "partnerAdjustment.reason", short: true },
  { key: "onNext", title: "partnerAdjustment.onNext", kind: "flag", list: "hidden" },
  {
    key: "status",
    title: "partnerAdjustment.status",
    kind: "enum",
    labels: "PartnerAdjustmentStatus",
    colors: { pending: "blue", approved: "green", rejected: "red", withdrawn: "gray" },
  },
  {
    // The person who requested it and may not decide on it.
    key: "decision",
    title: "partnerAdjustment.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => (decision && status === "pending" ? reviewers(decision, t) : EMPTY),
  },
  { key: "creatorName", title: "partnerAdjustment.creatorName", list: "hidden" },
  { key: "reviewerName", title: "partnerAdjustment.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "partnerAdjustment.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "partnerAdjustment.reviewNote", list: "hidden" },
  { key: "createdAt", title: "partnerAdjustment.createdAt", kind: "time", sort: true, list: "hidden" },
];

export const partnerAdjustmentFilters: readonly Filter[] = [
  { name: "keyword", label: "partner.keyword", kind: "text", placeholder: "adjustment.keywordHint" },
  { name: "channelId", label: "partnerAdjustment.channelName", kind: "select", options: { load: "channels", search: "/channel/options" } },
  {
    name: "status",
    label: "partnerAdjustment.status",
    kind: "select",
    options: { codes: partnerAdjustmentStatusCodes, labels: "PartnerAdjustmentStatus" },
  },
];
