/** A push's fields, its filters and its enumeration. */

import type { PushRow } from "../../../lib/api-types";
import { authStatusCodes, pushStatusCodes, returnStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { placeText } from "../../../lib/places";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toApplicant, toChannel, toOrg, toPlan, toProduct, toTeam } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { cityFilter } from "../../../ui/place-select";
import { EnumTag, type TagColors } from "../../../ui/tag";
import { testTag, withTestTag } from "../../../ui/test-tag";
import { userStars } from "../../../ui/stars";

export const pushStatusColors = {
  queued: "blue",
  sending: "blue",
  accepted: "green",
  rejected: "red",
  duplicate: "orange",
  failed: "red",
  retrying: "orange",
  unconfirmed: "orange",
  returned: "purple",
  cancelled: "gray",
} as const satisfies TagColors;

export const authStatusColors = { waiting: "orange", authorised: "green", declined: "red", expired: "gray" } as const satisfies TagColors;

export const returnStatusColors = { pending: "orange", approved: "purple", refused: "red", withdrawn: "gray" } as const satisfies TagColors;

/** A link to the push with a number. */
const pushLink = (no: string | null) => (no === null ? EMPTY : <a href={`/plan/push-list?keyword=${no}`}>{no}</a>);

export const pushFields: readonly Field<PushRow>[] = [
  { key: "no", title: "push.no", kind: "code", copy: true },
  { key: "nameMask", title: "push.name", link: toApplicant, show: ({ nameMask, test }, t) => withTestTag(nameMask, test, t) },
  { key: "phoneMask", title: "push.phone", kind: "code", list: "hidden" },
  { key: "city", title: "push.city", words: placeText, list: "hidden" },
  {
    key: "status",
    title: "push.status",
    kind: "enum",
    labels: "PushStatus",
    colors: pushStatusColors,
    show: ({ status, authStatus }) => (
      <>
        <EnumTag labels="PushStatus" value={status} colors={pushStatusColors} />
        {authStatus === "waiting" && (
          <>
            {" "}
            <EnumTag labels="AuthStatus" value={authStatus} colors={authStatusColors} />
          </>
        )}
      </>
    ),
  },
  { key: "planName", title: "push.plan", list: "hidden", link: toPlan },
  { key: "orgName", title: "push.org", short: true, link: toOrg },
  { key: "subOrgName", title: "push.subOrg", list: "hidden", link: toTeam },
  { key: "channelName", title: "push.channel", list: "hidden", link: toChannel },
  { key: "productName", title: "push.product", list: "hidden", link: toProduct },
  { key: "saleMode", title: "plan.saleMode", kind: "enum", labels: "SaleMode", list: "hidden" },
  { key: "priceCents", title: "push.price", kind: "money", sort: true, total: true },
  { key: "test", title: "push.test", kind: "flag", list: "hidden", show: ({ test }, t) => testTag(test, t) },
  { key: "authStatus", title: "push.authStatus", kind: "enum", labels: "AuthStatus", colors: authStatusColors, list: "hidden" },
  { key: "authUntil", title: "push.authUntil", kind: "time", list: "hidden" },
  { key: "attempts", title: "push.attempts", kind: "count", list: "hidden" },
  { key: "nextRetryAt", title: "push.nextRetryAt", kind: "time", list: "hidden" },
  { key: "upstreamNo", title: "push.upstreamNo", kind: "code", copy: true, list: "hidden" },
  // In the organisation's words, or the fault for which it was given up.
  { key: "rejectReason", title: "push.rejectReason", kind: "enum", labels: "push.fault", list: "hidden" },
  { key: "returnStatus", title: "return.status", kind: "enum", labels: "ReturnStatus", colors: returnStatusColors },
  { key: "repeatsNo", title: "push.repeatsNo", kind: "code", list: "hidden", show: ({ repeatsNo }) => pushLink(repeatsNo) },
  { key: "repeatedNo", title: "push.repeatedNo", kind: "code", list: "hidden", show: ({ repeatedNo }) => pushLink(repeatedNo) },
  { key: "replacesNo", title: "push.replacesNo", kind: "code", list: "hidden", show: ({ replacesNo }) => pushLink(replacesNo) },
  { key: "edited", title: "push.edited", kind: "flag", list: "hidden" },
  { key: "soldAt", title: "push.soldAt", kind: "time", sort: true },
  { key: "createdAt", title: "push.createdAt", kind: "time", sort: true, list: "hidden" },
];

export const pushFilters: readonly Filter[] = [
  { name: "keyword", label: "push.keyword", kind: "text", placeholder: "push.keywordHint" },
  { name: "status", label: "push.status", kind: "select", options: { codes: pushStatusCodes, labels: "PushStatus" } },
  { name: "returnStatus", label: "return.status", kind: "select", options: { codes: returnStatusCodes, labels: "ReturnStatus" } },
  { name: "replacementDue", label: "return.replacementDue", kind: "select", options: { codes: ["yes"], labels: "return.replacementDue" } },
  { name: "test", label: "push.test", kind: "select", options: { codes: ["no", "yes"], labels: "push.test" } },
  { name: "authStatus", label: "push.authStatus", kind: "select", options: { codes: authStatusCodes, labels: "AuthStatus" } },
  { name: "unseen", label: "push.unseen", kind: "select", options: { codes: ["yes"], labels: "push.unseen" } },
  { name: "orgId", label: "push.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "planId", label: "push.plan", kind: "select", options: { load: "plans", search: "/plan/options" } },
  { name: "subOrgId", label: "push.subOrg", kind: "select", options: { load: "teams" } },
  { name: "channelId", label: "push.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "productId", label: "push.product", kind: "select", options: { load: "products", search: "/product/options" } },
  { name: "city", label: "push.city", kind: "select", options: { local: cityFilter } },
  { name: "sold", label: "push.soldAt", kind: "days" },
  { name: "created", label: "push.createdAt", kind: "days" },
  { name: "decided", label: "push.decidedAt", kind: "days" },
  { name: "userStar", label: "push.userStar", kind: "select", options: { codes: userStars, labels: "user.star" } },
];

/** Fields of the trail besides those of a push: decisions of people, their reasons, and edits of a push that repeats another. */
export const pushTrailFields: readonly Field<{
  decision: string;
  note: string;
  editedName: string;
  editedProvince: string;
  editedFacts: string;
}>[] = [
  { key: "decision", title: "push.verdicts", kind: "enum", labels: "push.verdict" },
  { key: "note", title: "push.decisionNote" },
  { key: "editedName", title: "user.editedName" },
  { key: "editedProvince", title: "user.editedProvince" },
  { key: "editedFacts", title: "user.editedFacts" },
];

/** Titles of keys that are in the trail of a push and not in its list. */
export const pushTitles: FieldTitles = { rejectCode: "push.rejectCode" };
