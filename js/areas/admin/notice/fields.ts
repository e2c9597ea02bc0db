/** An announcement's fields, its filters and its enumerations, for list, detail and history alike. */
import type { NoticeRow, NoticeStatus } from "../../../lib/api-types";
import { noticeScopeCodes } from "../../../lib/codes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

const statuses: readonly NoticeStatus[] = ["scheduled", "published", "expired", "withdrawn"];

export const noticeFields: readonly Field<NoticeRow>[] = [
  { key: "title", title: "notice.name" },
  {
    key: "status",
    title: "notice.status",
    kind: "enum",
    labels: "notice.status",
    colors: { scheduled: "blue", published: "green", expired: "gray", withdrawn: "red" },
  },
  { key: "scope", title: "notice.scope", kind: "enum", labels: "NoticeScope" },
  { key: "audience", title: "notice.scopeId" },
  { key: "publishAt", title: "notice.publishAt", kind: "time", sort: true },
  { key: "expiresAt", title: "notice.expiresAt", kind: "time" },
  { key: "senderName", title: "notice.sender" },
  { key: "titleEn", title: "notice.nameEn", list: "hidden" },
  { key: "content", title: "notice.content", list: "never" },
  { key: "contentEn", title: "notice.contentEn", list: "never" },
  { key: "updatedAt", title: "notice.updatedAt", kind: "time", list: "hidden" },
];

export const noticeFilters: readonly Filter[] = [
  { name: "keyword", label: "notice.keyword", kind: "text", placeholder: "notice.keywordHint" },
  { name: "status", label: "notice.status", kind: "select", options: { codes: statuses, labels: "notice.status" } },
  { name: "scope", label: "notice.scope", kind: "select", options: { codes: noticeScopeCodes, labels: "NoticeScope" } },
  { name: "publish", label: "notice.publishAt", kind: "days" },
];
