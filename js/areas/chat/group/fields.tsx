/** A service group's fields and filters, for list, detail, history and audit trail. */
import type { ChatGroupRow } from "../../../lib/api-types";
import { assignModeCodes, useStatusCodes } from "../../../lib/codes";
import { localeOf } from "../../../lib/i18n";
import { scheduleSentence } from "../../../lib/schedule";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { CountLink } from "../count-link";

/** The address of the visitors' page of a group. */
export const visitorPath = (pageKey: string) => `/talk?g=${pageKey}`;

export const groupFields: readonly Field<ChatGroupRow>[] = [
  { key: "name", title: "chatGroup.name" },
  {
    key: "staff",
    title: "chatGroup.staff",
    kind: "count",
    show: ({ id, staff }) => <CountLink number={staff} list="/chat/manage" query={`groupId=${id}&status=enabled`} />,
  },
  {
    key: "online",
    title: "chatGroup.online",
    kind: "count",
    file: false,
    show: ({ id, online }) => <CountLink number={online ?? 0} list="/chat/manage" query={`groupId=${id}&status=enabled&presence=online`} />,
  },
  {
    key: "queued",
    title: "chatGroup.queued",
    kind: "count",
    show: ({ id, queued }) => <CountLink number={queued} list="/chat/conversation" query={`box=all&groupId=${id}&status=queued`} />,
  },
  {
    key: "open",
    title: "chatGroup.open",
    kind: "count",
    show: ({ id, open }) => <CountLink number={open} list="/chat/conversation" query={`box=all&groupId=${id}&status=open`} />,
  },
  { key: "assignMode", title: "chatGroup.assignMode", kind: "enum", labels: "AssignMode" },
  {
    key: "workingHours",
    title: "chatGroup.workingHours",
    list: "never",
    show: ({ workingHours }, t) => (workingHours === null ? t("chatGroup.always") : scheduleSentence(workingHours, localeOf(t))),
  },
  {
    key: "idleMinutes",
    title: "chatGroup.idleMinutes",
    kind: "count",
    list: "hidden",
    show: ({ idleMinutes }, t) => idleMinutes || t("chatGroup.never"),
  },
  {
    key: "replyMinutes",
    title: "chatGroup.replyMinutes",
    kind: "count",
    list: "hidden",
    show: ({ replyMinutes }, t) => replyMinutes || t("chatGroup.noTarget"),
  },
  {
    key: "resolveMinutes",
    title: "chatGroup.resolveMinutes",
    kind: "count",
    list: "hidden",
    show: ({ resolveMinutes }, t) => resolveMinutes || t("chatGroup.noTarget"),
  },
  {
    key: "frameSites",
    title: "chatGroup.frameSites",
    list: "never",
    show: ({ frameSites }, t) => frameSites.join("\n") || t("chatGroup.noSites"),
  },
  { key: "status", title: "chatGroup.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  {
    key: "pageKey",
    title: "chatGroup.pageKey",
    kind: "code",
    detail: false,
    show: ({ pageKey }) => (
      <a className="ll-link" href={visitorPath(pageKey)} target="_blank" rel="noreferrer noopener">
        {visitorPath(pageKey)}
      </a>
    ),
  },
  { key: "sort", title: "chatGroup.sort", kind: "count", sort: true, list: "hidden" },
  { key: "createdAt", title: "chatGroup.createdAt", kind: "time", sort: true },
  { key: "updatedAt", title: "chatGroup.updatedAt", kind: "time", list: "hidden" },
];

export const groupFilters: readonly Filter[] = [
  { name: "keyword", label: "chatGroup.keyword", kind: "text", placeholder: "chatGroup.keywordHint" },
  { name: "assignMode", label: "chatGroup.assignMode", kind: "select", options: { codes: assignModeCodes, labels: "AssignMode" } },
  { name: "status", label: "chatGroup.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
];
