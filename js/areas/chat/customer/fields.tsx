/** A customer's fields and filters, for list, detail, history and audit trail. */
import type { CustomerRow } from "../../../lib/api-types";
import { customerSourceCodes, customerStatusCodes, phoneStateCodes } from "../../../lib/codes";
import { count, EMPTY } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { RecordLink } from "../../../ui/record-link";
import { phoneText } from "../phone-text";

/** How many conversations a customer had, as a link to them for viewers who may open it. */
function Conversations({ id, conversations }: Pick<CustomerRow, "id" | "conversations">) {
  const lists = useHasPoint(["chat/conversation/list"]);
  if (!lists || conversations === 0) return <>{count(conversations)}</>;
  return (
    <a className="ll-link" href={`/chat/conversation?customerId=${id}`}>
      {count(conversations)}
    </a>
  );
}

/** The status of a customer's last conversation, as a link to it. */
function LastConversation({ conversationId, conversationStatus }: Pick<CustomerRow, "conversationId" | "conversationStatus">) {
  const t = useT();
  const lists = useHasPoint(["chat/conversation/list"]);
  if (conversationStatus === null) return EMPTY;
  const label = t(`ConversationStatus.${conversationStatus}`);
  if (!lists) return label;
  return (
    <a className="ll-link" href={`/chat/conversation?id=${conversationId}`}>
      {label}
    </a>
  );
}

/** The newest application by a customer's phone, as a link to its page for viewers who may open it. */
function Applicant({ userId, userNo, phoneState }: Pick<CustomerRow, "userId" | "userNo" | "phoneState">) {
  const t = useT();
  if (userNo === null) return EMPTY;
  return (
    <>
      <RecordLink href={`/user/list/${userId}`} point="user/list/view" name={userNo} />
      {phoneState !== "verified" && <span className="ll-quiet">{t("customer.byWord")}</span>}
    </>
  );
}

/** Languages by their tags, each in its own words. */
const LANGUAGES: Record<string, string> = { "zh-CN": "中文", "en-US": "English" };

export const customerFields: readonly Field<CustomerRow>[] = [
  { key: "nickname", title: "customer.nickname" },
  {
    key: "phoneMask",
    title: "customer.phoneMask",
    kind: "code",
    show: (row, t) => (row.phoneState === "verified" ? row.phoneMask : phoneText(row.phoneMask, row, t)) || EMPTY,
  },
  {
    key: "phoneState",
    title: "customer.phoneState",
    list: "hidden",
    kind: "enum",
    labels: "PhoneState",
    colors: { verified: "green", unverified: "orange" },
  },
  { key: "phoneVerifiedAt", title: "customer.phoneVerifiedAt", kind: "time", list: "hidden" },
  { key: "source", title: "customer.source", kind: "enum", labels: "CustomerSource", list: "hidden" },
  { key: "tags", title: "customer.tags", kind: "lines", show: ({ tags }, t) => tags.join(t("ui.comma")) || EMPTY },
  {
    key: "status",
    title: "customer.status",
    kind: "enum",
    labels: "CustomerStatus",
    colors: { active: "green", blocked: "red", erased: "gray" },
  },
  {
    key: "conversations",
    title: "customer.conversations",
    list: "hidden",
    kind: "count",
    show: ({ id, conversations }) => <Conversations id={id} conversations={conversations} />,
  },
  {
    key: "conversationStatus",
    title: "customer.conversationStatus",
    kind: "enum",
    labels: "ConversationStatus",
    file: false,
    show: ({ conversationId, conversationStatus }) => (
      <LastConversation conversationId={conversationId} conversationStatus={conversationStatus} />
    ),
  },
  {
    key: "userNo",
    title: "customer.userNo",
    kind: "code",
    show: ({ userId, userNo, phoneState }) => <Applicant userId={userId} userNo={userNo} phoneState={phoneState} />,
  },
  { key: "remark", title: "customer.remark", short: true, list: "hidden" },
  { key: "lastInboundAt", title: "customer.lastInboundAt", kind: "time", sort: true },
  { key: "consentedAt", title: "customer.consentedAt", kind: "time", list: "hidden" },
  { key: "consentText", title: "customer.consentText", list: "hidden" },
  {
    key: "consentLocale",
    title: "customer.consentLocale",
    list: "hidden",
    show: ({ consentLocale }) => (consentLocale && LANGUAGES[consentLocale]) || EMPTY,
  },
  { key: "consentVersion", title: "customer.consentVersion", kind: "code", list: "hidden" },
  { key: "createdAt", title: "customer.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "customer.updatedAt", kind: "time", list: "hidden" },
];

export const customerFilters: readonly Filter[] = [
  { name: "keyword", label: "customer.keyword", kind: "text", placeholder: "customer.keywordHint" },
  { name: "status", label: "customer.status", kind: "select", options: { codes: customerStatusCodes, labels: "CustomerStatus" } },
  { name: "source", label: "customer.source", kind: "select", options: { codes: customerSourceCodes, labels: "CustomerSource" } },
  { name: "phoneState", label: "customer.phoneState", kind: "select", options: { codes: phoneStateCodes, labels: "PhoneState" } },
  { name: "wechatId", label: "customer.wechatId", kind: "select", options: { load: "wechats" } },
  { name: "tag", label: "customer.tag", kind: "text" },
  { name: "created", label: "customer.createdAt", kind: "days" },
];
