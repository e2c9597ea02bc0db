/** /payConfig/order-list/:id: one payment order: whether it is paid or who has to act, its refunds, what the provider reported. */

import type { PaymentNoticeRow, PaymentOrderRow, PaymentRefundRow, RevealedNotice } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { EMPTY, minute, money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { usePageData, useViewer } from "../../../lib/props";
import { useLocation } from "../../../lib/visit";
import { type List, type RowAction, useActions } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { DetailPage, type DetailTab } from "../../../ui/detail-page";
import { type Field, labelOf } from "../../../ui/field";
import { ListTable } from "../../../ui/list-table";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { rowActions } from "../../../ui/row-actions";
import { LoadedTimeline } from "../../../ui/timeline";
import { refundActions } from "../refund/actions";
import { paymentRefundFields } from "../refund/fields";
import { orderActions } from "./actions";
import { paymentOrderFields, paymentOrderTitles } from "./fields";

export default function OrderDetail() {
  // Reports of providers are for platform staff.
  const isStaff = useViewer()?.orgId === null;
  return (
    <DetailPage<PaymentOrderRow>
      load="order"
      list={{ href: "/payConfig/order-list", title: "paymentOrder.title" }}
      points="payConfig/order-list"
      title={({ no }) => no}
      status="status"
      sentence={(row) => <State row={row} />}
      facts={["orgName", "amountCents", "paidCents", "refundedCents", "payeeChannelName", "channelOrderNo", "paidAt", "rechargeNo"]}
      fields={pageFields}
      actions={orderActions}
      tabs={isStaff ? tabs : tabs.filter(({ name }) => name !== "notices")}
    />
  );
}

/** Whether the order is paid, or who has to act. */
function State({ row }: { row: PaymentOrderRow }) {
  return <RecordState text={stateOf(row, useT())} decision={row.claim && row.decision} />;
}

function stateOf({ status, orgName: org, claim, decision, ...row }: PaymentOrderRow, t: Translate): string {
  const state = t(`paymentOrder.state.${status}`, {
    status: t(`OrderStatus.${status}`),
    org,
    amount: money(row.amountCents),
    paid: money(row.paidCents),
    refunded: money(row.refundedCents),
    until: minute(row.expiresAt),
    at: minute(row.paidAt),
    why: row.error === null ? EMPTY : labelOf(t, "paymentOrder.error", row.error),
  });
  if (!claim || !decision) return state;
  return state + t("paymentOrder.state.entered", { number: claim.channelOrderNo, at: minute(claim.paidAt), names: decision.makerNames });
}

/** The fields of the page: the names of the organisation and of the channel are links. */
const pageFields = linkedFields(paymentOrderFields);

const tabs: readonly DetailTab<PaymentOrderRow>[] = [
  { name: "details", label: "ui.details", show: (row) => <Description wide fields={pageFields} row={row} /> },
  { name: "refunds", label: "paymentOrder.refundsTab", show: () => <Refunds /> },
  { name: "notices", label: "paymentOrder.noticesTab", show: () => <Notices /> },
  {
    name: "history",
    label: "ui.history",
    show: () => <LoadedTimeline load="history" fields={paymentOrderFields} titles={paymentOrderTitles} />,
  },
];

const SHOWN: readonly (keyof PaymentRefundRow)[] = [
  "no",
  "amountCents",
  "status",
  "decision",
  "reason",
  "channelRefundNo",
  "creatorName",
  "reviewerName",
  "doneAt",
  "error",
  "createdAt",
];
/** The call answers all refunds in one order: none of the fields sorts. */
const refundFields: readonly Field<PaymentRefundRow>[] = SHOWN.flatMap((key) =>
  paymentRefundFields
    .filter((field) => field.key === key)
    .map((field) => ({ ...field, sort: false, ...(key === "no" && { show: showRefund }) })),
);

function showRefund({ id, no }: PaymentRefundRow) {
  return (
    <a className="ll-link" href={`/payConfig/order-list/refunds/${id}`}>
      {no}
    </a>
  );
}

/** The refunds of the order, with what can be done with each. */
function Refunds() {
  const t = useT();
  const viewer = useViewer();
  const query = useListQuery();
  const { pathname } = useLocation();
  const [list, act, overlays] = useActions("payConfig/order-list");
  const { data, desc } = usePageData<PaymentRefundRow[] | null>("refunds");
  return (
    <>
      {data === null && <p className="ll-quiet">{desc}</p>}
      {data?.length === 0 && <p className="ll-quiet">{t("paymentOrder.noRefunds")}</p>}
      {data && data.length > 0 && (
        <ListTable
          label={t("paymentOrder.refundsTab")}
          rows={data}
          fields={refundFields}
          query={query}
          pathname={pathname}
          density="normal"
          loading={false}
          actions={viewer ? rowActions(refundActions, viewer, list, act) : undefined}
        />
      )}
      {overlays}
    </>
  );
}

const noticeFields: readonly Field<PaymentNoticeRow>[] = [
  { key: "noticeNo", title: "paymentNotice.noticeNo", kind: "code" },
  { key: "result", title: "paymentNotice.result", show: ({ result }, t) => labelOf(t, "paymentOrder.noticeResult", result ?? "new") },
  { key: "receivedAt", title: "paymentNotice.receivedAt", kind: "time" },
];

const noticeActions: readonly RowAction<PaymentNoticeRow>[] = [{ label: "paymentOrder.viewNotice", point: "reveal", run: viewNotice }];

async function viewNotice({ id, noticeNo }: PaymentNoticeRow, { t, open }: List) {
  const [{ SecretDialog }, { body }] = await Promise.all([
    import("../../../ui/secret-dialog"),
    api.get<RevealedNotice>(`/payOrder/notice/${id}`),
  ]);
  const secrets = [{ label: t("paymentOrder.noticeBody"), value: body }];
  const title = t("paymentOrder.noticeTitle", { no: noticeNo });
  await open<void>((overlay) => <SecretDialog overlay={overlay} title={title} secrets={secrets} note={t("paymentOrder.noticeNote")} />);
}

/** What the provider reported of the order; holders of a point of its own see each as it came. */
function Notices() {
  const t = useT();
  const viewer = useViewer();
  const query = useListQuery();
  const { pathname } = useLocation();
  const [list, act, overlays] = useActions("payConfig/order-list");
  const { data, desc } = usePageData<PaymentNoticeRow[] | null>("notices");
  return (
    <>
      {data === null && <p className="ll-quiet">{desc}</p>}
      {data?.length === 0 && <p className="ll-quiet">{t("paymentOrder.noNotices")}</p>}
      {data && data.length > 0 && (
        <ListTable
          label={t("paymentOrder.noticesTab")}
          rows={data}
          fields={noticeFields}
          query={query}
          pathname={pathname}
          density="normal"
          loading={false}
          actions={viewer ? rowActions(noticeActions, viewer, list, act) : undefined}
        />
      )}
      {overlays}
    </>
  );
}
