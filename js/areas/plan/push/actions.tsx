/** What is done with a push, in the list and on the push's page. */
import type { PushDetail, PushRow, RepeatTerms, ReturnRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import { notify } from "../../../lib/toast";
import type { Viewer } from "../../../lib/types";
import type { BatchAction, List, RowAction } from "../../../ui/actions";
import { loadFeedbackForm } from "../../user/share";

/** In the list. */
export const rowActions = (byStaff: boolean): readonly RowAction<PushRow>[] => [
  ...ofDelivery,
  // Its page shows what decides.
  { label: "return.audit", point: "audit", when: isDecidedByViewer, run: ({ id }, { go }) => go(`/plan/push-list/${id}`) },
  ...ofRequest,
  enter(byStaff),
];

/** On the page of a push, where the decision on its return comes first, with a button for each answer. */
export const pageActions = (byStaff: boolean): readonly RowAction<PushDetail>[] => [
  { label: "return.approve", point: "audit", when: isDecidedByViewer, run: decide("approve") },
  { label: "return.refuse", point: "audit", danger: true, when: isDecidedByViewer, run: decide("refuse") },
  ...ofDelivery,
  ...ofRequest,
  enter(byStaff),
];

/** The makers of a return do not decide on it. */
function isDecidedByViewer({ returnStatus, returnAsker }: PushRow, { id }: Viewer) {
  return returnStatus === "pending" && returnAsker !== id;
}

const ofDelivery: readonly RowAction<PushRow>[] = [
  { label: "push.taken", point: "resolve", when: ({ status }) => status === "unconfirmed", run: resolve("taken") },
  { label: "push.notTaken", point: "resolve", when: ({ status }) => status === "unconfirmed", run: resolve("not_taken") },
  { label: "push.again", point: "resolve", when: ({ status }) => status === "retrying" || status === "unconfirmed", run: tryAgain },
  { label: "push.cancel", point: "cancel", danger: true, when: isCancellable, run: (row, list) => cancel([row], list) },
  { label: "push.repeat", point: "again", when: isRepeatable, run: repeat },
];

const ofRequest: readonly RowAction<PushRow>[] = [
  {
    label: "return.ask",
    point: "return",
    when: isReturnable,
    run: askReturn,
  },
  {
    label: "return.withdraw",
    point: "return",
    when: ({ returnStatus, returnAsker }, { id }) => returnStatus === "pending" && returnAsker === id,
    run: withdraw,
  },
];

const enter = (byStaff: boolean): RowAction<PushRow> => ({
  label: "feedback.enter",
  point: "user/feedback-list/create",
  when: isKnown,
  run: (row, list) => enterOn(row, byStaff, list),
});

export const batch: readonly BatchAction<PushRow>[] = [
  { label: "return.ask", point: "return", run: askReturns },
  { label: "push.cancel", point: "cancel", danger: true, run: cancelAll },
  { label: "push.repeat", point: "again", run: repeatAll },
];

/** Whether its return may be requested, as far as the list shows it. */
function isReturnable({ status, returnStatus }: PushRow) {
  return status === "accepted" && returnStatus !== "pending";
}

/** Whether it waits to be sent and cannot have arrived. */
function isCancellable({ status }: PushRow) {
  return status === "queued" || status === "retrying";
}

/** Whether it ended without a sale, and was not pushed again. */
function isRepeatable({ status, userId, repeatedNo, authStatus }: PushRow) {
  const agreed = authStatus === null || authStatus === "authorised";
  return agreed && ["rejected", "duplicate", "failed", "cancelled"].includes(status) && userId !== null && repeatedNo === null;
}

/** Whether an organisation has accepted it and its applicant is stored. */
const isKnown = ({ status, userId }: PushRow) => status === "accepted" && userId !== null;

function resolve(decision: "taken" | "not_taken"): RowAction<PushRow>["run"] {
  return async (row, { t, open, reload }) => {
    const { resolveDialog } = await import("./resolve");
    if (await open<PushRow>((overlay) => resolveDialog({ overlay, t, row, decision }))) await reload("push.resolved");
  };
}

async function tryAgain({ id, no, status }: PushRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("push.againTitle", { no }), text: t("push.againText"), confirm: t("push.again") }))) return;
  await api.put("/plan/push/resolve", { id, status, decision: "again" });
  await reload("push.triedAgain");
}

async function cancel(rows: readonly PushRow[], { t, open, reload }: List) {
  const { cancelDialog } = await import("./again");
  if (await open<boolean>((overlay) => cancelDialog({ overlay, t, rows }))) await reload("push.cancelled");
}

async function cancelAll(rows: readonly PushRow[], list: List) {
  const able = rows.filter(isCancellable);
  if (able.length === 0) return notify("info", list.t("push.noneCancellable"));
  return cancel(able, list);
}

async function repeat(row: PushRow, { t, open, reload }: List) {
  const [{ repeatDialog }, terms] = await Promise.all([
    import("./again"),
    api.get<RepeatTerms>(`/plan/push/again/${row.id}`),
    refreshChoices(),
  ]);
  if (await open<PushRow>((overlay) => repeatDialog({ overlay, t, row, terms }))) await reload("push.repeated");
}

async function repeatAll(rows: readonly PushRow[], { t, confirm, reload }: List) {
  const able = rows.filter(isRepeatable);
  if (able.length === 0) return notify("info", t("push.noneRepeatable"));
  const title = t("push.repeatManyTitle", { count: able.length });
  if (!(await confirm({ title, text: t("push.repeatManyText"), confirm: t("push.repeat") }))) return;
  for (const { id, status } of able) await api.post("/plan/push/again", { id, status });
  await reload("push.repeated");
}

async function askReturn(row: PushRow, { t, open, reload }: List) {
  const { askDialog } = await import("../return/form");
  const requested = await askDialog({ t, open, row });
  // If the organisation's terms say so, the return is approved automatically.
  if (requested) await reload(requested.status === "approved" ? "return.approvedAtOnce" : "return.asked");
}

/** The most leads of one form. */
const MOST_RETURNS = 30;

async function askReturns(rows: readonly PushRow[], { t, open, reload }: List) {
  const able = rows.filter(isReturnable);
  if (able.length === 0) return notify("info", t("return.noneReturnable"));
  if (able.length > MOST_RETURNS) return notify("info", t("return.tooMany", { max: MOST_RETURNS }));
  const { askMany } = await import("../return/many");
  if (await askMany({ t, open, rows: able })) await reload();
}

async function withdraw({ no, returnId }: PushRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("return.withdrawTitle", { no }), text: t("return.withdrawText"), confirm: t("return.withdraw") }))) return;
  const { id, version } = await api.get<ReturnRow>(`/plan/return/${returnId}`);
  await api.put("/plan/return/withdraw", { id, version });
  await reload("return.withdrawn");
}

/** Opens the decision on the return that waits, with the answer of the button. */
function decide(decision: "approve" | "refuse"): RowAction<PushDetail>["run"] {
  return async ({ returns }, { t, open, reload }) => {
    const { auditDialog } = await import("../return/form");
    const row = returns.find(({ status }) => status === "pending");
    if (row && (await open<ReturnRow>((overlay) => auditDialog({ overlay, t, row, decision })))) await reload("return.decided");
  };
}

async function enterOn({ id, no }: PushRow, byStaff: boolean, list: List) {
  const { enterFeedback } = await loadFeedbackForm();
  if (await enterFeedback({ no, pushId: id }, byStaff, list)) await list.reload("feedback.entered");
}
