/** A payment link's fields and filters, for list, detail, history and audit trail. */
import type { LinkBatch, PaymentLinkRow } from "../../../lib/api-types";
import { paymentLinkStatusCodes } from "../../../lib/codes";
import { count, EMPTY, money } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import type { FieldTitles } from "../../../ui/changes";
import { type Field, toPayeeChannel } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { changeReviewers } from "../../../ui/proposal-actions";

/** The order that has the link, for viewers who may open it. */
function Order({ id, no }: { id: number; no: string }) {
  const lists = useHasPoint(["payConfig/order-list/list"]);
  if (!lists) return no;
  return (
    <a className="ll-link" href={`/payConfig/order-list/${id}`}>
      {no}
    </a>
  );
}

export const paymentLinkFields: readonly Field<PaymentLinkRow>[] = [
  { key: "urlMask", title: "paymentLink.urlMask", kind: "code" },
  { key: "payeeChannelName", title: "paymentLink.payeeChannelName", link: toPayeeChannel },
  {
    key: "amountCents",
    title: "paymentLink.amountCents",
    kind: "money",
    show: ({ amountCents }, t) => (amountCents === null ? t("paymentLink.anyAmount") : money(amountCents)),
  },
  {
    key: "status",
    title: "paymentLink.status",
    kind: "enum",
    labels: "PaymentLinkStatus",
    sort: true,
    colors: { proposed: "orange", free: "green", reserved: "blue", used: "purple", invalid: "red", disabled: "gray" },
  },
  {
    key: "paymentOrderNo",
    title: "paymentLink.paymentOrderNo",
    kind: "code",
    show: ({ paymentOrderId, paymentOrderNo }) =>
      paymentOrderId === null || paymentOrderNo === null ? EMPTY : <Order id={paymentOrderId} no={paymentOrderNo} />,
  },
  { key: "reservedUntil", title: "paymentLink.reservedUntil", kind: "time", list: "hidden" },
  { key: "freeFrom", title: "paymentLink.freeFrom", kind: "time", list: "hidden" },
  { key: "usedAt", title: "paymentLink.usedAt", kind: "time", list: "hidden" },
  { key: "expiresAt", title: "paymentLink.expiresAt", kind: "time" },
  { key: "batchNo", title: "paymentLink.batchNo", kind: "code", copy: true, list: "hidden" },
  {
    key: "decision",
    title: "paymentLink.decision",
    file: false,
    show: ({ decision }, t) => changeReviewers(decision, t, "import"),
    list: "hidden",
  },
  { key: "remark", title: "paymentLink.remark", short: true, list: "hidden" },
  { key: "createdAt", title: "paymentLink.createdAt", kind: "time", sort: true, list: "hidden" },
  { key: "updatedAt", title: "paymentLink.updatedAt", kind: "time", list: "hidden" },
];

/** The sum of an import's links; links for any amount have none and are counted. */
export function sumOf(links: number, cents: number, anyAmount: number, t: Translate): string {
  if (anyAmount === 0) return money(cents);
  if (anyAmount === links) return t("paymentLink.onlyAnyAmount", { links: count(anyAmount) });
  return t("paymentLink.sumAndAnyAmount", { sum: money(cents), links: count(anyAmount) });
}

/** The fields of an import of links in its review. */
export const linkBatchFields: readonly Field<LinkBatch>[] = [
  { key: "no", title: "paymentLink.batchNo", kind: "code" },
  { key: "creatorName", title: "paymentLink.importedBy" },
  { key: "createdAt", title: "paymentLink.createdAt", kind: "time" },
  { key: "links", title: "paymentLink.links", kind: "count" },
  {
    key: "cents",
    title: "paymentLink.amountCents",
    kind: "money",
    show: ({ links, cents, anyAmount }, t) => sumOf(links, cents, anyAmount, t),
  },
  {
    key: "hosts",
    title: "paymentLink.hosts",
    show: ({ hosts }, t) =>
      hosts.map(({ host, links, channels }) => (
        <div key={host} className="ll-mono">
          {t("paymentLink.host", { host, links, channels: channels.join(t("ui.comma")) })}
        </div>
      )),
  },
];

export const paymentLinkFilters: readonly Filter[] = [
  { name: "keyword", label: "paymentLink.keyword", kind: "text", placeholder: "paymentLink.keywordHint" },
  {
    name: "payeeChannelId",
    label: "paymentLink.payeeChannelName",
    kind: "select",
    options: { load: "channels", search: "/payChannel/options" },
  },
  { name: "status", label: "paymentLink.status", kind: "select", options: { codes: paymentLinkStatusCodes, labels: "PaymentLinkStatus" } },
  { name: "awaits", label: "paymentLink.awaits", kind: "select", options: { codes: ["decision"], labels: "paymentLink.awaits" } },
  { name: "created", label: "paymentLink.createdAt", kind: "days" },
];

/** Titles of columns of an import that are not among the fields. */
export const paymentLinkTitles: FieldTitles = {
  payeeChannelCode: "paymentLink.payeeChannelCode",
  url: "paymentLink.url",
  reviewNote: "proposal.note",
  page: "paymentLink.revealedPage",
};
