/** /plan/push-list: the leads that plans bought, how each reached its buyer, and which are given back. */
import type { PushRow, PushStory, RepeatTerms, ReturnRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices, useFieldChoices } from "../../../lib/choices";
import { useViewer } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { type BatchAction, type List, ListPage, type RowAction } from "../../../ui/list-page";
import { loadFeedbackForm } from "../../user/share";
import { pushFields, pushFilters } from "./fields";

export default function PushList() {
  useFieldChoices();
  const byStaff = useViewer()?.orgId === null;
  return (
    <ListPage
      title="push.title"
      empty="push.empty"
      api="/plan/push"
      points="plan/push-list"
      fields={pushFields}
      filters={pushFilters}
      actions={[
        ...actions,
        { label: "feedback.enter", point: "user/feedback-list/create", when: isKnown, run: (row, list) => enterOn(row, byStaff, list) },
      ]}
      batch={batch}
    />
  );
}

const actions: readonly RowAction<PushRow>[] = [
  { label: "push.view", point: "view", run: view },
  { label: "push.resolve", point: "resolve", when: ({ status }) => status === "unconfirmed", run: resolve },
  { label: "push.again", point: "resolve", when: ({ status }) => status === "retrying" || status === "unconfirmed", run: tryAgain },
  { label: "push.cancel", point: "cancel", danger: true, when: isCancellable, run: (row, list) => cancel([row], list) },
  { label: "push.repeat", point: "again", when: isRepeatable, run: repeat },
  {
    label: "return.audit",
    point: "audit",
    when: ({ returnStatus, returnAsker }, { id }) => returnStatus === "pending" && returnAsker !== id,
    run: audit,
  },
  {
    label: "return.ask",
    point: "return",
    when: ({ status, returnStatus }) => status === "accepted" && returnStatus !== "pending",
    run: askReturn,
  },
  {
    label: "return.withdraw",
    point: "return",
    when: ({ returnStatus, returnAsker }, { id }) => returnStatus === "pending" && returnAsker === id,
    run: withdraw,
  },
];

const batch: readonly BatchAction<PushRow>[] = [
  { label: "push.cancel", point: "cancel", danger: true, run: cancelAll },
  { label: "push.repeat", point: "again", run: repeatAll },
];

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

async function view({ id, returnId }: PushRow, { open }: List) {
  const [{ showPush }, story, returned] = await Promise.all([
    import("./story"),
    api.get<PushStory>(`/plan/push/${id}`),
    returnId === null ? null : api.get<ReturnRow>(`/plan/return/${returnId}`),
  ]);
  await open((overlay) => showPush({ overlay, story, returned }));
}

async function resolve(row: PushRow, { t, open, reload }: List) {
  const { resolveDialog } = await import("./resolve");
  if (await open<PushRow>((overlay) => resolveDialog({ overlay, t, row }))) await reload("push.resolved");
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

async function withdraw({ no, returnId }: PushRow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("return.withdrawTitle", { no }), text: t("return.withdrawText"), confirm: t("return.withdraw") }))) return;
  const { id, version } = await api.get<ReturnRow>(`/plan/return/${returnId}`);
  await api.put("/plan/return/withdraw", { id, version });
  await reload("return.withdrawn");
}

async function audit({ returnId }: PushRow, { t, open, reload }: List) {
  const [{ auditDialog }, row] = await Promise.all([import("../return/form"), api.get<ReturnRow>(`/plan/return/${returnId}`)]);
  if (await open<ReturnRow>((overlay) => auditDialog({ overlay, t, row }))) await reload("return.decided");
}

async function enterOn({ id, no }: PushRow, byStaff: boolean, list: List) {
  const { enterFeedback } = await loadFeedbackForm();
  if (await enterFeedback({ no, pushId: id }, byStaff, list)) await list.reload("feedback.entered");
}
