/** A payee channel's fields and filters, for list, detail, history and audit trail. */
import type { PayeeChannelRow, PayProvider } from "../../../lib/api-types";
import { payeeChannelStatusCodes, payProviderCodes } from "../../../lib/codes";
import { addDays } from "../../../lib/days";
import { EMPTY, money } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useTodayInCell } from "../../../lib/props";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, labelOf, toPayee } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { changeReviewers } from "../../../ui/proposal-actions";
import { Tag } from "../../../ui/tag";

export type ParamName =
  | "appId"
  | "serialNo"
  | "privateKey"
  | "apiV3Key"
  | "platformSerial"
  | "platformKey"
  | "oldPlatformSerial"
  | "oldPlatformKey"
  | "alipayPublicKey";

/** The parameters without which a provider cannot be called. */
export const providerParams: Readonly<Record<PayProvider, readonly ParamName[]>> = {
  wechat: ["appId", "serialNo", "privateKey", "apiV3Key", "platformSerial", "platformKey"],
  alipay: ["appId", "privateKey", "alipayPublicKey"],
  unionpay: [],
  bank: [],
  link_pool: [],
};

/** Whether the provider confirms payments. Staff confirm them otherwise. */
export const isOnline = (provider: PayProvider) => providerParams[provider].length > 0;

/** A certificate is marked this many days before its last day; the server warns from then on. */
const SOON = 30;

/** The last day of a certificate, and whether that is near or over. */
function Certificate({ day }: { day: string }) {
  const t = useT();
  const today = useTodayInCell();
  if (day > addDays(today, SOON)) return day;
  const isOver = day < today;
  return (
    <>
      {day} <Tag color={isOver ? "red" : "orange"}>{t(isOver ? "payeeChannel.certOver" : "payeeChannel.certSoon")}</Tag>
    </>
  );
}

/** The fields that payers see. */
export const shownFields: readonly Field<PayeeChannelRow>[] = [
  { key: "payeeOrgName", title: "payeeChannel.payeeOrgName", short: true, link: toPayee },
  { key: "instructions", title: "payeeChannel.instructions", list: "never" },
];

export const payeeChannelFields: readonly Field<PayeeChannelRow>[] = [
  { key: "code", title: "payeeChannel.code", kind: "code", copy: true },
  { key: "name", title: "payeeChannel.name", sort: true },
  { key: "provider", title: "payeeChannel.provider", kind: "enum", labels: "PayProvider", list: "hidden" },
  { key: "payeeOrgName", title: "payeeChannel.payeeOrgName", link: toPayee },
  { key: "mchNo", title: "payeeChannel.mchNo", kind: "code", copy: true, list: "hidden" },
  { key: "feeBp", title: "payeeChannel.feeBp", kind: "count", list: "hidden" },
  { key: "minCents", title: "payeeChannel.minCents", kind: "money", list: "hidden" },
  { key: "maxCents", title: "payeeChannel.maxCents", kind: "money", list: "hidden" },
  {
    key: "dayCapCents",
    title: "payeeChannel.dayCapCents",
    list: "hidden",
    kind: "money",
    show: ({ dayCapCents }, t) => (dayCapCents === null ? t("payeeChannel.noDayCap") : money(dayCapCents)),
  },
  {
    key: "certExpireOn",
    title: "payeeChannel.certExpireOn",
    show: ({ certExpireOn }) => (certExpireOn === null ? EMPTY : <Certificate day={certExpireOn} />),
  },
  {
    key: "oldKeyUntil",
    title: "payeeChannel.oldKeyUntil",
    list: "hidden",
    show: ({ oldKeyUntil }) => (oldKeyUntil === null ? EMPTY : <Certificate day={oldKeyUntil} />),
  },
  {
    key: "status",
    title: "payeeChannel.status",
    kind: "enum",
    labels: "PayeeChannelStatus",
    colors: { enabled: "green", disabled: "gray" },
  },
  { key: "decision", title: "payeeChannel.decision", file: false, show: ({ decision }, t) => changeReviewers(decision, t), short: true },
  {
    key: "paramNames",
    title: "payeeChannel.paramNames",
    list: "never",
    show: ({ paramNames }, t) => paramNames.map((name) => labelOf(t, "payeeChannel.param", name)).join(t("ui.comma")) || EMPTY,
  },
  { key: "gatewayUrl", title: "payeeChannel.gatewayUrl", list: "never" },
  { key: "instructions", title: "payeeChannel.instructions", list: "never" },
  { key: "sort", title: "payeeChannel.sort", kind: "count", sort: true, list: "hidden" },
  { key: "createdAt", title: "payeeChannel.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "payeeChannel.updatedAt", kind: "time", list: "hidden" },
];

export const payeeChannelFilters: readonly Filter[] = [
  { name: "keyword", label: "payeeChannel.keyword", kind: "text", placeholder: "payeeChannel.keywordHint" },
  { name: "provider", label: "payeeChannel.provider", kind: "select", options: { codes: payProviderCodes, labels: "PayProvider" } },
  { name: "payeeOrgId", label: "payeeChannel.payeeOrgName", kind: "select", options: { load: "payees" } },
  {
    name: "status",
    label: "payeeChannel.status",
    kind: "select",
    options: { codes: payeeChannelStatusCodes, labels: "PayeeChannelStatus" },
  },
  { name: "awaits", label: "payeeChannel.awaits", kind: "select", options: { codes: ["decision"], labels: "payeeChannel.awaits" } },
];

/** Titles of keys that are in a channel's history and not in its row. */
export const payeeChannelTitles: FieldTitles = {
  params: "payeeChannel.params",
  reviewNote: "proposal.note",
};
