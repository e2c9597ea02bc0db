/** The fields and filters of service staff, for list, detail, history and audit trail. */
import type { ChatStaffRow } from "../../../lib/api-types";
import { chatPresenceCodes, useStatusCodes } from "../../../lib/codes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { CountLink } from "../count-link";

export const staffFields: readonly Field<ChatStaffRow>[] = [
  { key: "nickname", title: "chatStaff.nickname", sort: true },
  { key: "adminName", title: "chatStaff.adminName" },
  { key: "username", title: "chatStaff.username" },
  { key: "groupNames", title: "chatStaff.groupNames", kind: "lines", show: ({ groupNames }, t) => groupNames.join(t("ui.comma")) },
  {
    key: "presence",
    title: "chatStaff.presence",
    kind: "enum",
    labels: "ChatPresence",
    colors: { online: "green", busy: "orange", offline: "gray" },
  },
  {
    key: "open",
    title: "chatStaff.open",
    kind: "count",
    show: ({ id, open, maxOpen }) => (
      <CountLink number={open} limit={maxOpen} list="/chat/conversation" query={`box=all&staffId=${id}&status=open`} />
    ),
  },
  { key: "maxOpen", title: "chatStaff.maxOpen", kind: "count", list: "hidden" },
  { key: "autoAccept", title: "chatStaff.autoAccept", kind: "flag" },
  { key: "lastSeenAt", title: "chatStaff.lastSeenAt", kind: "time" },
  { key: "status", title: "chatStaff.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "createdAt", title: "chatStaff.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "chatStaff.updatedAt", kind: "time", list: "hidden" },
];

export const staffFilters: readonly Filter[] = [
  { name: "keyword", label: "chatStaff.keyword", kind: "text", placeholder: "chatStaff.keywordHint" },
  { name: "groupId", label: "chatStaff.groupNames", kind: "select", options: { load: "groups" } },
  { name: "presence", label: "chatStaff.presence", kind: "select", options: { codes: chatPresenceCodes, labels: "ChatPresence" } },
  { name: "status", label: "chatStaff.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
];
