/** A reply's fields and filters, for list, detail, history and audit trail. */
import type { ChatReplyRow } from "../../../lib/api-types";
import { replyKindCodes, useStatusCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** The trigger of a reply: its keyword and the comparison, or the shortcut that staff type. */
function trigger({ kind, keyword, matchMode, shortcut }: ChatReplyRow, t: Translate): string {
  if (kind === "keyword") return `${keyword} · ${t(`KeywordMatch.${matchMode}`)}`;
  return kind === "quick" ? `/${shortcut}` : EMPTY;
}

export const replyFields: readonly Field<ChatReplyRow>[] = [
  { key: "content", title: "chatReply.content", short: true },
  {
    key: "kind",
    title: "chatReply.kind",
    kind: "enum",
    labels: "ReplyKind",
    colors: { welcome: "green", keyword: "blue", default: "gray", off_hours: "orange", quick: "cyan" },
  },
  { key: "keyword", title: "chatReply.trigger", heading: "chatReply.keyword", show: trigger },
  {
    key: "matchMode",
    title: "chatReply.matchMode",
    kind: "enum",
    labels: "KeywordMatch",
    list: "hidden",
    detail: false,
    show: ({ kind, matchMode }, t) => (kind === "keyword" ? t(`KeywordMatch.${matchMode}`) : EMPTY),
  },
  { key: "shortcut", title: "chatReply.shortcut", list: "hidden", detail: false },
  { key: "groupName", title: "chatReply.groupName", show: ({ groupName }, t) => groupName ?? t("chatReply.allGroups") },
  { key: "useCount", title: "chatReply.useCount", kind: "count", sort: true },
  { key: "sort", title: "chatReply.sort", kind: "count", sort: true },
  { key: "status", title: "chatReply.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "createdAt", title: "chatReply.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "chatReply.updatedAt", kind: "time", list: "hidden" },
];

export const replyFilters: readonly Filter[] = [
  { name: "keyword", label: "chatReply.search", kind: "text", placeholder: "chatReply.searchHint" },
  { name: "kind", label: "chatReply.kind", kind: "select", options: { codes: replyKindCodes, labels: "ReplyKind" } },
  { name: "groupId", label: "chatReply.groupName", kind: "select", options: { load: "groups" } },
  { name: "status", label: "chatReply.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
];
