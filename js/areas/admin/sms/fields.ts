/** A short message's fields, its filters and its enumerations, for list, detail and history alike. */
import type { SmsRow } from "../../../lib/api-types";
import { smsKindCodes, smsStateCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import { type Field, labelOf } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

export const smsFields: readonly Field<SmsRow>[] = [
  { key: "no", title: "sms.no", kind: "code", copy: true },
  { key: "kind", title: "sms.kind", kind: "enum", labels: "SmsKind" },
  { key: "phoneMask", title: "sms.phone", kind: "code" },
  {
    key: "state",
    title: "sms.state",
    kind: "enum",
    labels: "SmsState",
    colors: {
      waiting: "blue",
      accepted: "blue",
      delivered: "green",
      undelivered: "red",
      failed: "red",
      unconfirmed: "orange",
      expired: "gray",
      given_up: "gray",
    },
  },
  { key: "lastError", title: "sms.lastError", show: ({ lastError }, t) => (lastError ? labelOf(t, "push.fault", lastError) : EMPTY) },
  { key: "way", title: "sms.way", kind: "enum", labels: "SmsWay" },
  { key: "providerNo", title: "sms.providerNo", kind: "code", copy: true, list: "hidden" },
  { key: "tries", title: "sms.tries", kind: "count", list: "hidden" },
  { key: "acceptedAt", title: "sms.acceptedAt", kind: "time", list: "hidden" },
  { key: "reportedAt", title: "sms.reportedAt", kind: "time", list: "hidden" },
  { key: "expiresAt", title: "sms.expiresAt", kind: "time", list: "hidden" },
  { key: "creatorName", title: "sms.creator", list: "hidden" },
  { key: "createdAt", title: "sms.createdAt", kind: "time", sort: true },
];

export const smsFilters: readonly Filter[] = [
  { name: "keyword", label: "sms.keyword", kind: "text", placeholder: "sms.keywordHint" },
  { name: "state", label: "sms.state", kind: "select", options: { codes: smsStateCodes, labels: "SmsState" } },
  { name: "kind", label: "sms.kind", kind: "select", options: { codes: smsKindCodes, labels: "SmsKind" } },
  { name: "created", label: "sms.createdAt", kind: "days" },
];
