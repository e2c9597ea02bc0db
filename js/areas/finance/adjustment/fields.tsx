/** The fields and filters of adjustments, for their list and the audit trail. */
import type { AdjustmentRow } from "../../../lib/api-types";
import { accountPartCodes, adjustmentStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { type Field, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { reviewers } from "../../../ui/waits-for";
import { proofLinks } from "../proofs";

export const adjustmentFields: readonly Field<AdjustmentRow>[] = [
  { key: "no", title: "adjustment.no", kind: "code", sort: true },
  { key: "orgName", title: "adjustment.orgName", short: true, link: toOrg },
  { key: "part", title: "adjustment.part", kind: "enum", labels: "AccountPart" },
  { key: "amountCents", title: "adjustment.amountCents", kind: "money" },
  { key: "reason", title: "adjustment.reason", short: true },
  { key: "proofFiles", title: "adjustment.proofFiles", file: false, show: ({ proofFiles }) => proofLinks(proofFiles), list: "hidden" },
  {
    key: "status",
    title: "adjustment.status",
    kind: "enum",
    labels: "AdjustmentStatus",
    colors: { pending: "blue", approved: "green", rejected: "red", withdrawn: "gray" },
  },
  {
    // The person who requested it and may not decide on it.
    key: "decision",
    title: "adjustment.decision",
    short: true,
    file: false,
    show: ({ decision, status }, t) => (decision && status === "pending" ? reviewers(decision, t) : EMPTY),
  },
  { key: "creatorName", title: "adjustment.creatorName", list: "hidden" },
  { key: "reviewerName", title: "adjustment.reviewerName", list: "hidden" },
  { key: "reviewedAt", title: "adjustment.reviewedAt", kind: "time", list: "hidden" },
  { key: "reviewNote", title: "adjustment.reviewNote", list: "hidden" },
  { key: "createdAt", title: "adjustment.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "adjustment.updatedAt", kind: "time", list: "hidden", file: false },
];

export const adjustmentFilters: readonly Filter[] = [
  { name: "keyword", label: "adjustment.keyword", kind: "text", placeholder: "adjustment.keywordHint" },
  { name: "orgId", label: "adjustment.orgName", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "status", label: "adjustment.status", kind: "select", options: { codes: adjustmentStatusCodes, labels: "AdjustmentStatus" } },
  { name: "part", label: "adjustment.part", kind: "select", options: { codes: accountPartCodes, labels: "AccountPart" } },
];
