/** Feedback's fields, its filters and its enumerations, for list, detail and history alike. */
import type { FeedbackRow } from "../../../lib/api-types";
import { callbackStatusCodes, feedbackSourceCodes, handleStatusCodes } from "../../../lib/codes";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toApplicant, toChannel, toOrg } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { itemTag } from "../../../ui/tag";
import { testTag, withTestTag } from "../../../ui/test-tag";
import { starColors } from "../../../ui/stars";

export const stars = ["0", "1", "2", "3"] as const;

const toPush = { page: "/plan/push-list/", id: "pushId", point: "plan/push-list/view" } as const;

export const feedbackFields: readonly Field<FeedbackRow>[] = [
  {
    key: "userNo",
    title: "user.no",
    kind: "code",
    copy: true,
    link: toApplicant,
    show: ({ userNo, test }, t) => withTestTag(userNo, test, t),
  },
  { key: "nameMask", title: "user.name", list: "hidden", link: toApplicant },
  { key: "phoneMask", title: "user.phone", kind: "code", list: "hidden" },
  { key: "source", title: "feedback.source", kind: "enum", labels: "FeedbackSource", list: "hidden" },
  { key: "star", title: "feedback.star", kind: "enum", labels: "user.star", colors: starColors, short: true },
  {
    key: "endCode",
    title: "feedback.endCode",
    heading: "feedback.endCode",
    show: ({ endName, endCode, labelColor }) => itemTag(endName ?? endCode, labelColor),
  },
  { key: "callbackAttempts", title: "feedback.callbackAttempts", kind: "count", list: "hidden", file: false },
  { key: "loanCents", title: "feedback.loan", kind: "money", sort: true, total: true, list: "hidden" },
  { key: "content", title: "feedback.content", list: "hidden" },
  { key: "orgName", title: "feedback.org", short: true, link: toOrg },
  { key: "pushNo", title: "push.no", kind: "code", copy: true, list: "hidden", link: toPush },
  { key: "channelName", title: "user.channel", list: "hidden", link: toChannel },
  { key: "test", title: "user.test", kind: "flag", list: "hidden", show: ({ test }, t) => testTag(test, t) },
  {
    key: "handleStatus",
    title: "feedback.handleStatus",
    kind: "enum",
    labels: "HandleStatus",
    colors: { open: "orange", in_progress: "blue", done: "green", closed: "gray" },
  },
  { key: "handlerName", title: "feedback.handler", list: "hidden" },
  { key: "handledAt", title: "feedback.handledAt", kind: "time", list: "hidden" },
  { key: "reply", title: "feedback.reply", list: "hidden" },
  {
    key: "callbackStatus",
    title: "feedback.callbackStatus",
    kind: "enum",
    labels: "CallbackStatus",
    list: "hidden",
    colors: { none: "gray", waiting: "blue", sent: "green", failed: "red", given_up: "gray" },
  },
  { key: "sentToChannelAt", title: "feedback.sentToChannelAt", kind: "time", list: "hidden" },
  { key: "creatorName", title: "feedback.creator", list: "hidden" },
  { key: "createdAt", title: "feedback.createdAt", kind: "time", sort: true },
];

export const feedbackFilters: readonly Filter[] = [
  { name: "keyword", label: "feedback.keyword", kind: "text", placeholder: "feedback.keywordHint" },
  { name: "star", label: "feedback.star", kind: "select", options: { codes: stars, labels: "user.star" } },
  { name: "endCode", label: "feedback.endCode", kind: "select", options: { load: "endCodes" } },
  { name: "source", label: "feedback.source", kind: "select", options: { codes: feedbackSourceCodes, labels: "FeedbackSource" } },
  { name: "handleStatus", label: "feedback.handleStatus", kind: "select", options: { codes: handleStatusCodes, labels: "HandleStatus" } },
  {
    name: "callbackStatus",
    label: "feedback.callbackStatus",
    kind: "select",
    options: { codes: callbackStatusCodes, labels: "CallbackStatus" },
  },
  { name: "test", label: "user.test", kind: "select", options: { codes: ["no", "yes"], labels: "push.test" } },
  { name: "orgId", label: "feedback.org", kind: "select", options: { load: "orgs", search: "/org/options" } },
  { name: "channelId", label: "user.channel", kind: "select", options: { load: "channels", search: "/channel/options" } },
  { name: "created", label: "feedback.createdAt", kind: "days" },
];

/** Titles of keys of its history that its row has under another key. */
export const feedbackTitles: FieldTitles = { endName: "feedback.endCode" };
