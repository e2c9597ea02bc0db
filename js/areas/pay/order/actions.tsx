/** What may be done with a payment order, in its list and on its page. */
import type { PaymentOrderMade, PaymentOrderRow, PaymentPage, PaymentRefundRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isMaker } from "../../../lib/decision";
import { orderStatusSteps } from "../../../lib/codes";
import { minute, money } from "../../../lib/format";
import { notify } from "../../../lib/toast";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";
import { labelOf } from "../../../ui/field";
import { isOnline } from "../channel/fields";

/** Milliseconds for a query: the provider is called up to twice. */
const QUERY_MS = 25_000;

/** The person who entered a payment may not confirm or reject it; the list's column names them. */
export const orderActions: readonly RowAction<PaymentOrderRow>[] = [
  { label: "paymentOrder.confirm", point: "confirm", when: mayDecide, run: confirmPayment },
  { label: "paymentOrder.reject", point: "confirm", danger: true, when: mayDecide, run: reject },
  { label: "paymentOrder.showPage", point: "create", when: ({ status }) => status === "created" || status === "paying", run: showPage },
  { label: "paymentOrder.query", point: "create", when: ({ status, provider }) => status === "paying" && isOnline(provider), run: query },
  { label: "paymentOrder.enter", point: "confirm", when: mayEnter, run: enter },
  { label: "paymentOrder.refund", point: "refund", when: (row, viewer) => isStaff(viewer) && leftOf(row) > 0, run: refund },
  { label: "paymentOrder.withdraw", point: "confirm", when: (row, { id }) => isClaimed(row) && isMaker(row, id), run: withdraw },
  { label: "paymentOrder.cancel", point: "create", danger: true, when: mayCancel, run: cancel },
];

const isStaff = ({ orgId }: Viewer) => orgId === null;
const isClaimed = ({ claim }: PaymentOrderRow) => claim !== null;
function mayDecide(row: PaymentOrderRow, viewer: Viewer): boolean {
  return isStaff(viewer) && isClaimed(row) && !isMaker(row, viewer.id);
}

/** Staff enter payments of channels without a provider, also after the order has ended. */
function mayEnter(row: PaymentOrderRow, viewer: Viewer): boolean {
  return isStaff(viewer) && !isOnline(row.provider) && !isClaimed(row) && orderStatusSteps[row.status].includes("success");
}

function mayCancel(row: PaymentOrderRow): boolean {
  return orderStatusSteps[row.status].includes("cancelled") && !isClaimed(row) && !row.cancelAsked;
}

/** Fen of a paid order that can still be refunded. */
function leftOf({ status, paidCents, refundingCents }: PaymentOrderRow): number {
  return status === "success" || status === "part_refunded" ? (paidCents ?? 0) - refundingCents : 0;
}

/** Opens the form of a new order, with the channels that take new orders, then shows the address at which it is paid. */
export async function create(list: List, orgs: readonly SelectOption[]) {
  const { t, open, reload } = list;
  const [{ orderDialog }, channels] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>("/payChannel/options", { open: "true" }),
  ]);
  const created = await open<PaymentOrderMade>((overlay) => orderDialog({ overlay, t, choices: { orgs, channels } }));
  if (!created) return;
  await reload("paymentOrder.created");
  await showKey(created, created.token, list);
}

/** Fetches and shows the key of an order's page; this counts as a reveal. */
async function showPage(row: PaymentOrderRow, list: List) {
  const { token } = await api.get<PaymentPage>(`/payOrder/payPage/${row.id}`);
  await showKey(row, token, list);
}

async function showKey(row: PaymentOrderRow, token: string, { open }: List) {
  const { payerPageDialog } = await import("./form");
  await open<void>((overlay) => payerPageDialog({ overlay, row, token }));
}

/** Queries the provider at once whether an order is paid. */
async function query({ id, version }: PaymentOrderRow, { t, reload }: List) {
  const { status, error } = await api.put<PaymentOrderRow>("/payOrder/query", { id, version }, { patience: QUERY_MS });
  await reload();
  if (status !== "paying") return notify("success", t("paymentOrder.queried", { status: labelOf(t, "OrderStatus", status) }));
  notify(
    "info",
    error === null ? t("paymentOrder.notPaidYet") : t("paymentOrder.notLearnt", { error: labelOf(t, "paymentOrder.error", error) }),
  );
}

async function cancel({ id, version, no, status }: PaymentOrderRow, { t, confirm, reload }: List) {
  const title = t("paymentOrder.cancelTitle", { no });
  const text = t(status === "paying" ? "paymentOrder.cancelPayingText" : "paymentOrder.cancelText");
  if (!(await confirm({ title, text, confirm: t("paymentOrder.cancel"), danger: true }))) return;
  const saved = await api.put<PaymentOrderRow>("/payOrder/status", { id, version, status: "cancelled" });
  await reload(saved.status === "cancelled" ? "paymentOrder.cancelled" : "paymentOrder.cancelRequested");
}

async function enter(row: PaymentOrderRow, { t, open, reload }: List) {
  const { claimDialog } = await import("./form");
  if (await open<PaymentOrderRow>((overlay) => claimDialog({ overlay, t, row }))) await reload("paymentOrder.entered");
}

async function confirmPayment({ id, version, no, orgName, bizType, amountCents, claim }: PaymentOrderRow, list: List) {
  const { t, confirm, reload } = list;
  const title = t("paymentOrder.confirmTitle", { no });
  const params = { org: orgName, amount: money(amountCents), number: claim?.channelOrderNo ?? "", at: minute(claim?.paidAt) };
  const text = t(bizType === "recharge" ? "paymentOrder.confirmRechargeText" : "paymentOrder.confirmText", params);
  if (!(await confirm({ title, text, confirm: t("paymentOrder.confirm") }))) return;
  const { sendDecision } = await import("../../../ui/another-payment");
  const saved = await sendDecision(list, {
    title,
    submit: t("paymentOrder.confirm"),
    send: (answer) => api.put<PaymentOrderRow>("/payOrder/confirm", { id, version, approve: true, ...answer }),
  });
  if (saved) await reload("paymentOrder.confirmed");
}

async function reject({ id, version, no }: PaymentOrderRow, { t, open, reload }: List) {
  const { noteDialog } = await import("../../../ui/note-dialog");
  const rejected = await open<PaymentOrderRow>((overlay) =>
    noteDialog({
      overlay,
      t,
      title: t("paymentOrder.rejectTitle", { no }),
      submit: t("paymentOrder.reject"),
      draft: `paymentOrder.reject ${id}`,
      label: "paymentOrder.rejectReason",
      save: (note) => api.put<PaymentOrderRow>("/payOrder/confirm", { id, version, approve: false, note }),
    }),
  );
  if (rejected) await reload("paymentOrder.rejected");
}

async function withdraw({ id, version, no }: PaymentOrderRow, { t, confirm, reload }: List) {
  const title = t("paymentOrder.withdrawTitle", { no });
  if (!(await confirm({ title, text: t("paymentOrder.withdrawText"), confirm: t("paymentOrder.withdraw") }))) return;
  await api.put("/payOrder/claim/withdraw", { id, version });
  await reload("paymentOrder.withdrawn");
}

async function refund(row: PaymentOrderRow, { t, open, reload }: List) {
  const { refundDialog } = await import("./form");
  if (await open<PaymentRefundRow>((overlay) => refundDialog({ overlay, t, row, left: leftOf(row) })))
    await reload("paymentRefund.requested");
}
