/** A channel's fields, its filters and its enumerations, for list, detail and history alike. */
import type { ChannelNow } from "../../../lib/api-types";
import { channelModeCodes, channelStatusCodes, channelTypeCodes, settleModeCodes } from "../../../lib/codes";
import { EMPTY, money, percent } from "../../../lib/format";
import { localeOf } from "../../../lib/i18n";
import { applicantField, sentence } from "../../../lib/terms-table";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { Usage } from "../../../ui/usage";

/** Whether this settlement pays a price for each visitor, registration or lead. */
export const isByUnit = ({ settleMode }: { settleMode?: unknown }) => settleMode !== "none" && settleMode !== "share";

export const channelFields: readonly Field<ChannelNow>[] = [
  { key: "name", title: "channel.name", sort: true },
  { key: "code", title: "channel.code", kind: "code", sort: true, copy: true },
  { key: "type", title: "channel.type", kind: "enum", labels: "ChannelType", list: "hidden" },
  {
    key: "status",
    title: "channel.status",
    kind: "enum",
    labels: "ChannelStatus",
    sort: true,
    colors: { enabled: "green", paused: "orange", disabled: "gray" },
  },
  { key: "mode", title: "channel.mode", kind: "enum", labels: "ChannelMode", colors: { live: "blue", test: "purple" } },
  { key: "settleMode", title: "channel.settleMode", kind: "enum", labels: "SettleMode" },
  {
    key: "unitPriceCents",
    title: "channel.unitPrice",
    kind: "money",
    sort: true,
    show: (row) => (isByUnit(row) ? money(row.unitPriceCents) : EMPTY),
  },
  {
    key: "shareBp",
    title: "channel.share",
    kind: "basisPoints",
    list: "hidden",
    show: ({ settleMode, shareBp }) => (settleMode === "share" ? percent(shareBp) : EMPTY),
  },
  { key: "usage", title: "channel.usage", file: false, show: ({ usage }) => (usage.length === 0 ? EMPTY : <Usage usage={usage} />) },
  {
    key: "payable",
    title: "channel.payable",
    list: "never",
    file: false,
    show: ({ payable }, t) =>
      payable === null
        ? EMPTY
        : t("channel.payableText", {
            payable: money(payable.payableCents),
            paid: money(payable.paidCents),
            open: money(payable.openCents),
          }),
  },
  { key: "ownerName", title: "channel.owner" },
  { key: "appKey", title: "channel.appKey", kind: "code", copy: true, list: "hidden" },
  { key: "oldSecretUntil", title: "channel.oldSecretUntil", kind: "time", list: "hidden", file: false },
  { key: "landingUrl", title: "channel.landingUrl", kind: "url", copy: true, list: "hidden" },
  { key: "callbackUrl", title: "channel.callbackUrl", kind: "url", copy: true, list: "hidden" },
  { key: "ipAllow", title: "channel.ipAllow", kind: "lines", copy: true, list: "hidden" },
  { key: "dedupDays", title: "channel.dedupDays", kind: "count", list: "hidden" },
  { key: "dedupScope", title: "channel.dedupScope", kind: "enum", labels: "DedupScope", list: "hidden" },
  {
    key: "requiredFields",
    title: "channel.requiredFields",
    list: "hidden",
    show: ({ requiredFields }, t) =>
      requiredFields.map((name) => sentence(applicantField(name)?.title[localeOf(t)] ?? name)).join(t("ui.comma")) || EMPTY,
  },
  { key: "caps", title: "channel.caps", kind: "caps", list: "never" },
  { key: "filters", title: "channel.filters", kind: "rules", list: "never" },
  { key: "remark", title: "channel.remark", list: "hidden" },
  { key: "createdAt", title: "channel.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "channel.updatedAt", kind: "time", sort: true, list: "hidden" },
];

export const channelFilters: readonly Filter[] = [
  { name: "keyword", label: "channel.keyword", kind: "text", placeholder: "channel.keywordHint" },
  { name: "status", label: "channel.status", kind: "select", options: { codes: channelStatusCodes, labels: "ChannelStatus" } },
  { name: "type", label: "channel.type", kind: "select", options: { codes: channelTypeCodes, labels: "ChannelType" } },
  { name: "ownerAdminId", label: "channel.owner", kind: "select", options: { load: "owners" } },
  { name: "mode", label: "channel.mode", kind: "select", options: { codes: channelModeCodes, labels: "ChannelMode" } },
  { name: "created", label: "channel.createdAt", kind: "days" },
  { name: "settleMode", label: "channel.settleMode", kind: "select", options: { codes: settleModeCodes, labels: "SettleMode" } },
];

/** Titles of keys that are in a channel's history and not among its fields. */
export const channelTitles: FieldTitles = { appSecret: "channel.appSecret", ownerAdminId: "channel.owner", testLead: "channel.test" };
