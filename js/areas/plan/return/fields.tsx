/** A return's fields, for details and the trail alike. */
import type { ReturnRow } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import { itemTag } from "../../../ui/tag";
import { reviewers } from "../../../ui/waits-for";
import { returnStatusColors } from "../push/fields";

export const returnFields: readonly Field<ReturnRow>[] = [
  { key: "status", title: "return.status", kind: "enum", labels: "ReturnStatus", colors: returnStatusColors },
  {
    key: "reasonCode",
    title: "return.reason",
    show: ({ reasonName, reasonCode, labelColor }) => itemTag(reasonName ?? reasonCode, labelColor),
  },
  { key: "note", title: "return.note" },
  {
    key: "proofFiles",
    title: "return.proofs",
    show: ({ proofFiles }) =>
      proofFiles.length === 0
        ? EMPTY
        : proofFiles.map(({ id, name, url }) => (
            <a key={id} className="ll-link" href={url} target="_blank" rel="noreferrer">
              {name}{" "}
            </a>
          )),
  },
  { key: "refundCents", title: "return.refund", kind: "money" },
  {
    key: "decision",
    title: "return.waits",
    show: ({ decision, status }, t) => (decision && status === "pending" ? reviewers(decision, t) : EMPTY),
  },
  { key: "creatorName", title: "return.creator" },
  { key: "createdAt", title: "return.createdAt", kind: "time" },
  {
    key: "reviewerName",
    title: "return.reviewer",
    show: ({ reviewerName, reviewedAt }, t) => reviewerName ?? (reviewedAt === null ? EMPTY : t("return.byRules")),
  },
  { key: "reviewedAt", title: "return.reviewedAt", kind: "time" },
  { key: "reviewNote", title: "return.reviewNote" },
  { key: "replacementDueAt", title: "return.replacementDueAt", kind: "time" },
  { key: "replacementNo", title: "return.replacementNo", kind: "code" },
  { key: "chargeChannel", title: "return.chargeChannel", kind: "flag" },
];

/** Titles of keys that are in the trail of a return and not among its details. */
export const returnTitles: FieldTitles = { pushNo: "push.no", orgName: "push.org", reasonName: "return.reason" };
