/** An official account's fields and filters, for list, detail, history and audit trail. */
import type { WechatRow } from "../../../lib/api-types";
import { deliveryReasonCodes, useStatusCodes } from "../../../lib/codes";
import { count, EMPTY } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import type { FieldTitles } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";

/** How many customers follow an account, as a link to them for viewers who may open their list. */
function Followers({ id, followers }: Pick<WechatRow, "id" | "followers">) {
  const lists = useHasPoint(["chat/client/list"]);
  if (!lists || followers === 0) return <>{count(followers)}</>;
  return (
    <a className="ll-link" href={`/chat/client?wechatId=${id}`}>
      {count(followers)}
    </a>
  );
}

/** Why WeChat gave no token: its own words, or the label of a reason. */
export function tokenErrorText(error: string, t: Translate): string {
  const reason = deliveryReasonCodes.find((code) => code === error);
  return reason ? t(`DeliveryReason.${reason}`) : error || EMPTY;
}

/** What was wrong with a delivery of WeChat. */
const refusals = ["signature", "timestamp", "xml", "AES key", "not encrypted", "nonce"] as const;

function refusalText(refusal: string, t: Translate): string {
  const known = refusals.find((code) => code === refusal);
  return known ? t(`chatWechat.refusal.${known}`) : refusal || EMPTY;
}

export const wechatFields: readonly Field<WechatRow>[] = [
  { key: "name", title: "wechat.name", sort: true },
  { key: "appId", title: "wechat.appId", kind: "code" },
  { key: "groupName", title: "wechat.groupName" },
  {
    key: "encrypted",
    title: "wechat.encrypted",
    kind: "flag",
    show: ({ encrypted }, t) => t(encrypted ? "chatWechat.secure" : "chatWechat.plain"),
  },
  {
    key: "followers",
    title: "wechat.followers",
    kind: "count",
    show: ({ id, followers }) => <Followers id={id} followers={followers} />,
    list: "hidden",
  },
  { key: "verifiedAt", title: "wechat.verifiedAt", kind: "time", list: "hidden" },
  { key: "receivedAt", title: "wechat.receivedAt", kind: "time" },
  { key: "refusedAt", title: "wechat.refusedAt", kind: "time", list: "hidden" },
  { key: "refusal", title: "wechat.refusal", list: "hidden", show: ({ refusal }, t) => refusalText(refusal, t) },
  { key: "tokenError", title: "wechat.tokenError", short: true, show: ({ tokenError }, t) => tokenErrorText(tokenError, t) },
  { key: "templateId", title: "wechat.templateId", kind: "code", list: "never" },
  { key: "templateField", title: "wechat.templateField", kind: "code", list: "never" },
  { key: "templateText", title: "wechat.templateText", list: "never" },
  { key: "status", title: "wechat.status", kind: "enum", labels: "UseStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "createdAt", title: "wechat.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "wechat.updatedAt", kind: "time", list: "hidden" },
];

/** Titles of keys that are in an account's history and not among its fields. */
export const wechatTitles: FieldTitles = { keys: "wechat.keys" };

export const wechatFilters: readonly Filter[] = [
  { name: "keyword", label: "chatWechat.keyword", kind: "text", placeholder: "chatWechat.keywordHint" },
  { name: "groupId", label: "wechat.groupName", kind: "select", options: { load: "groups" } },
  { name: "status", label: "wechat.status", kind: "select", options: { codes: useStatusCodes, labels: "UseStatus" } },
];
