/** What is done with a plan, in the list and on the plan's page. */
import type { CheckRow, PlanNow, PlanRow, PlanStatus, PlanTrial } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import { planStatusSteps } from "../../../lib/codes";
import { isMaker } from "../../../lib/decision";
import { notify } from "../../../lib/toast";
import type { BatchAction, List, RowAction } from "../../../ui/actions";
import type { PlanChoices } from "./fields";
import { RequestedTerms } from "./requested";
import { isAdjustable, isApproved, isDeletable, isEditable } from "./status";
import type { Tried } from "./try";

const editOf = (id: number) => `/plan/list/${id}/edit`;

/** In the list, where editing is most frequent. `isOrganisation`: the viewer is one of an organisation. */
export const rowActions = (choices: PlanChoices, isOrganisation: boolean): readonly RowAction<PlanNow>[] => [
  ...changes(choices, isOrganisation),
  submit,
  ...decisions(choices),
  ...own,
  ...steps,
  ...others,
];

/** On the page of a plan, where a decision comes first. */
export const pageActions = (choices: PlanChoices, isOrganisation: boolean): readonly RowAction<PlanNow>[] => [
  ...decisions(choices),
  submit,
  ...changes(choices, isOrganisation).toReversed(),
  ...own,
  ...steps,
  ...others,
];

const changes = (choices: PlanChoices, isOrganisation: boolean): readonly RowAction<PlanNow>[] => [
  { label: "plan.editAction", point: "update", when: ({ status }) => isEditable(status), run: ({ id }, { go }) => go(editOf(id)) },
  { label: "plan.try", point: "try", run: (row, list) => tryTerms(row, list, choices, isOrganisation) },
];

const submit: RowAction<PlanNow> = {
  label: "plan.submit",
  point: "status",
  when: ({ status }) => planStatusSteps[status].includes("pending"),
  run: step("pending"),
};

const decisions = (choices: PlanChoices): readonly RowAction<PlanNow>[] => [
  // Makers of a plan or of a change may not decide on it; the list's column names them.
  { label: "plan.approve", point: "audit", when: (row, viewer) => row.status === "pending" && !isMaker(row, viewer.id), run: approve },
  {
    label: "plan.reject",
    point: "audit",
    danger: true,
    when: (row, viewer) => row.status === "pending" && !isMaker(row, viewer.id),
    run: reject,
  },
  {
    label: "plan.approveChange",
    point: "audit",
    when: (row, viewer) => row.change !== null && !isMaker(row, viewer.id),
    run: (row, list) => approveChange(row, list, choices),
  },
  {
    label: "plan.rejectChange",
    point: "audit",
    danger: true,
    when: (row, viewer) => row.change !== null && !isMaker(row, viewer.id),
    run: reject,
  },
  {
    label: "plan.withdrawChange",
    point: "update",
    when: (row, viewer) => row.change !== null && isMaker(row, viewer.id),
    run: withdrawChange,
  },
];

/** What people of the organisation do within the bounds agreed for the plan. */
const own: readonly RowAction<PlanNow>[] = [
  {
    label: "plan.adjust",
    point: "own",
    when: (row, viewer) => viewer.orgId !== null && isApproved(row) && isAdjustable(row),
    run: (row, list) => adjust(row, list),
  },
  {
    label: "plan.pause",
    point: "own",
    when: (row, viewer) => viewer.orgId !== null && row.ownPause && row.status === "running",
    run: step("paused", "/plan/own/status"),
  },
  {
    label: "plan.resume",
    point: "own",
    when: (row, viewer) => viewer.orgId !== null && row.ownPause && row.pausedByOrg && row.status === "paused",
    run: step("running", "/plan/own/status"),
  },
];

const steps: readonly RowAction<PlanNow>[] = [
  { label: "plan.reopen", point: "status", when: ({ status }) => planStatusSteps[status].includes("draft"), run: step("draft") },
  { label: "plan.pause", point: "status", when: ({ status }) => planStatusSteps[status].includes("paused"), run: step("paused") },
  {
    label: "plan.hold",
    point: "status",
    when: ({ status, pausedByOrg }, { orgId }) => orgId === null && status === "paused" && pausedByOrg,
    run: step("paused"),
  },
  { label: "plan.resume", point: "status", when: ({ status }) => planStatusSteps[status].includes("running"), run: step("running") },
];

const others: readonly RowAction<PlanNow>[] = [
  { label: "uv.visits", point: "plan/uv-list/list", run: ({ id }, { go }) => go(`/plan/uv-list?subjectId=${id}`) },
  { label: "plan.copy", point: "create", run: ({ id }, { go }) => go(`/plan/list/${id}/copy`) },
  { label: "plan.comply", point: "admin/test/check", run: comply },
  { label: "plan.end", point: "status", danger: true, when: ({ status }) => planStatusSteps[status].includes("ended"), run: step("ended") },
  { label: "plan.delete", point: "delete", danger: true, when: ({ status }) => isDeletable(status), run: remove },
];

export const batch: readonly BatchAction<PlanNow>[] = [
  { label: "plan.pause", icon: "pause", point: "status", run: stepAll("paused", "plan.pauseManyTitle", "plan.nonePausable") },
  { label: "plan.resume", point: "status", run: stepAll("running", "plan.resumeManyTitle", "plan.noneResumable") },
];

/** Tries other terms on past leads, any number of times; the chosen ones go into the form of the plan. */
async function tryTerms(row: PlanNow, { t, open, reload, go, can }: List, choices: PlanChoices, isOrganisation: boolean) {
  const [{ tryDialog, tryResult }] = await Promise.all([import("./try"), refreshChoices()]);
  const mayTake = isOrganisation ? can("own") && isApproved(row) && isAdjustable(row) : isEditable(row.status) && can("update");
  let trial: PlanTrial | undefined;
  for (;;) {
    const began = trial;
    const tried = await open<Tried>((overlay) => tryDialog({ overlay, t, choices, row, isOrganisation, trial: began }));
    if (!tried) return;
    trial = tried.trial;
    const next = await open<"again" | "edit">((overlay) => tryResult({ overlay, row, tried, isOrganisation, mayEdit: mayTake }));
    if (!next) return;
    if (next === "edit") break;
  }
  const { id, days: _days, ...terms } = trial;
  if (isOrganisation) return adjust(row, { open, t, reload }, terms);
  await go(editOf(id), { terms });
}

/** The question before a step. */
const questions = {
  pending: { title: "plan.submitTitle", text: "plan.submitText", confirm: "plan.submit" },
  draft: { title: "plan.reopenTitle", text: "plan.reopenText", confirm: "plan.reopen" },
  paused: { title: "plan.pauseTitle", text: "plan.pauseText", confirm: "plan.pause" },
  running: { title: "plan.resumeTitle", text: "plan.resumeText", confirm: "plan.resume" },
  ended: { title: "plan.endTitle", text: "plan.endText", confirm: "plan.end" },
} as const;

function step(status: Exclude<PlanStatus, "rejected">, call = "/plan/status"): RowAction<PlanNow>["run"] {
  return async ({ id, version, name }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[status];
    const what = status === "pending" ? await (await import("./submission")).submission(t) : t(text);
    if (!(await confirm({ title: t(title, { name }), text: what, confirm: t(verb), danger: status === "ended" }))) return;
    await api.put(call, { id, version, status });
    await reload("plan.stepDone");
  };
}

async function adjust(row: PlanNow, { t, open, reload }: Pick<List, "t" | "open" | "reload">, terms?: object) {
  const { adjustDialog } = await import("./adjust");
  if (await open<PlanRow>((overlay) => adjustDialog({ overlay, t, row, terms }))) await reload("plan.adjusted");
}

/** Takes a step with those of the picked plans that can; stops at the first refusal, which the client shows. */
function stepAll(
  status: "paused" | "running",
  title: "plan.pauseManyTitle" | "plan.resumeManyTitle",
  none: "plan.nonePausable" | "plan.noneResumable",
): BatchAction<PlanNow>["run"] {
  return async (rows, { t, confirm, reload }) => {
    const able = rows.filter((row) => planStatusSteps[row.status].includes(status));
    if (able.length === 0) return notify("info", t(none));
    const { text, confirm: verb } = questions[status];
    if (!(await confirm({ title: t(title, { count: able.length }), text: t(text), confirm: t(verb) }))) return;
    for (const { id, version } of able) await api.put("/plan/status", { id, version, status });
    await reload("plan.stepDone");
  };
}

async function approve({ id, version, name }: PlanNow, { t, confirm, reload }: List) {
  if (!(await confirm({ title: t("plan.approveTitle", { name }), text: t("plan.approveText"), confirm: t("plan.approve") }))) return;
  await api.put("/plan/audit", { id, version, approve: true });
  await reload("plan.stepDone");
}

async function approveChange(row: PlanNow, { t, confirm, reload }: List, { channels }: PlanChoices) {
  const { id, version, name, change } = row;
  const text = (
    <>
      <p>{t("plan.approveChangeText")}</p>
      {change && <RequestedTerms row={row} change={change} channels={channels} />}
    </>
  );
  if (!(await confirm({ title: t("plan.approveChangeTitle", { name }), text, confirm: t("plan.approveChange") }))) return;
  await api.put("/plan/audit", { id, version, approve: true });
  await reload("plan.changeApproved");
}

async function withdrawChange({ id, version, name }: PlanNow, { t, confirm, reload }: List) {
  const title = t("plan.withdrawChangeTitle", { name });
  if (!(await confirm({ title, text: t("plan.withdrawChangeText"), confirm: t("plan.withdrawChange") }))) return;
  await api.put("/plan/change/withdraw", { id, version });
  await reload("plan.changeWithdrawn");
}

async function reject(row: PlanNow, { t, open, reload }: List) {
  const { rejectDialog } = await import("./reject");
  if (await open<PlanRow>((overlay) => rejectDialog({ overlay, t, row })))
    await reload(row.change ? "plan.changeRefused" : "plan.rejected");
}

/** Runs the compliance check of the plan, and shows the result. */
async function comply({ id }: PlanNow, { open }: List) {
  const { showCheck } = await import("../../../ui/check-result");
  const check = await api.post<CheckRow>("/compliance/check", { targetType: "plan", targetId: id });
  await open((overlay) => showCheck({ overlay, check, history: `/admin/test?targetType=plan&targetId=${id}` }));
}

async function remove({ id, name }: PlanNow, { t, confirm, removed }: List) {
  const title = t("plan.deleteTitle", { name });
  if (!(await confirm({ title, text: t("plan.deleteText"), confirm: t("plan.delete"), danger: true }))) return;
  await api.del(`/plan/${id}`);
  await removed("plan.deleted");
}
