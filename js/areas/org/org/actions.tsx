/** What is done with an organisation, in the list and on the organisation's page. */
import type {
  CheckRow,
  DeliveryPreview,
  DeliveryTrial,
  OrgApi,
  OrgCheck,
  OrgRow,
  OrgSecret,
  OrgSigning,
  OrgStatus,
} from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { orgStatusSteps } from "../../../lib/codes";
import { notify } from "../../../lib/toast";
import type { Viewer } from "../../../lib/types";
import type { BatchAction, List, RowAction } from "../../../ui/actions";
import { Description } from "../../../ui/description";
import { decideOn, proposalActions, withdrawProposal } from "../../../ui/proposal-actions";
import { termsFields, type OrgChoices } from "./fields";
import type { SigningStep } from "./signing";

/** In the list, where editing is most frequent, unless a change of the terms waits. */
export const rowActions = (choices: OrgChoices): readonly RowAction<OrgRow>[] => [
  ...terms,
  change(choices),
  activation(choices),
  ...steps,
  { label: "uv.visits", point: "org/uv-list/list", run: ({ id }, { go }) => go(`/org/uv-list?subjectId=${id}`) },
  check,
  { label: "org.api.view", point: "apiView", run: viewDelivery },
  deliveryChange,
  ...deliveryDecisions,
  ...deliveryOthers,
  ...ends,
];

/** On the page of an organisation, where a decision comes first and the delivery settings have a tab. */
export const pageActions = (choices: OrgChoices): readonly RowAction<OrgRow>[] => [
  ...terms,
  ...deliveryDecisions,
  activation(choices),
  ...steps,
  change(choices),
  check,
  deliveryChange,
  ...deliveryOthers,
  ...ends,
];

const change = (choices: OrgChoices): RowAction<OrgRow> => ({
  label: "org.editAction",
  point: "update",
  run: (row, list) => edit(row, list, choices),
});

const activation = (choices: OrgChoices): RowAction<OrgRow> => ({
  label: "org.activate",
  point: "status",
  when: ({ status }) => status === "pending",
  run: (row, list) => activate(row, list, choices),
});

const terms = proposalActions<OrgRow>({
  path: "/org",
  points: ["audit", "update"],
  name: ({ name }) => name,
  details: (row) => <Description fields={termsFields} row={{ ...row, ...row.proposed }} previous={row} />,
});

const steps: readonly RowAction<OrgRow>[] = [
  { label: "org.resume", point: "status", when: ({ status }) => status === "paused", run: changeTo("active") },
  { label: "org.pause", point: "status", when: ({ status }) => orgStatusSteps[status].includes("paused"), run: changeTo("paused") },
];

const check: RowAction<OrgRow> = { label: "org.comply", point: "admin/test/check", run: comply };

const deliveryChange: RowAction<OrgRow> = { label: "org.api.edit", point: "apiUpdate", run: editDelivery };

const deliveryDecisions: readonly RowAction<OrgRow>[] = [
  { label: "org.api.approve", point: "apiAudit", when: mayDecideDelivery, run: decideDelivery(true) },
  { label: "org.api.reject", point: "apiAudit", danger: true, when: mayDecideDelivery, run: decideDelivery(false) },
  {
    label: "org.api.withdraw",
    point: "apiUpdate",
    when: ({ deliveryMakers: makers }, { id }) => makers.includes(id),
    run: withdrawDelivery,
  },
];

const deliveryOthers: readonly RowAction<OrgRow>[] = [
  { label: "org.api.test", point: "apiTest", run: testDelivery },
  { label: "org.sign", point: "apiView", run: signing },
];

const ends: readonly RowAction<OrgRow>[] = [
  {
    label: "org.terminate",
    point: "status",
    danger: true,
    when: ({ status }) => orgStatusSteps[status].includes("terminated"),
    run: changeTo("terminated"),
  },
  { label: "org.delete", point: "delete", danger: true, run: remove },
];

export const batch: readonly BatchAction<OrgRow>[] = [{ label: "org.pause", icon: "pause", point: "status", run: pauseAll }];

export async function edit(row: OrgRow | undefined, { t, open, reload }: List, choices: OrgChoices) {
  const { orgDialog } = await import("./form");
  const saved = await open<OrgRow>((overlay) => orgDialog({ overlay, t, choices, row }));
  if (saved) await reload(saved.proposed ? "org.savedProposed" : row ? "org.saved" : "org.created");
  return saved;
}

/** Activates an organisation for the first time: the dialog lists what that needs. After a change of the organisation it opens again. */
async function activate(row: OrgRow, list: List, choices: OrgChoices): Promise<void> {
  const { open, can, reload } = list;
  const [{ activateDialog }, standing] = await Promise.all([import("./activate"), api.get<OrgCheck>(`/org/check/${row.id}`)]);
  const abilities = { mayCheck: can("admin/test/check"), mayEdit: can("update") };
  const next = await open<"activate" | "edit">((overlay) => activateDialog({ overlay, row, standing, ...abilities }));
  if (next === "edit") {
    const saved = await edit(row, list, choices);
    if (saved) return activate(saved, list, choices);
  }
  if (next !== "activate") return;
  await api.put("/org/status", { id: row.id, version: row.version, status: "active" });
  await reload("org.statusDone");
}

async function viewDelivery({ id, name }: OrgRow, { open, t }: List) {
  const settings = await api.get<OrgApi>(`/org/api/${id}`);
  const { showDelivery } = await import("./delivery-form");
  await open((overlay) => showDelivery({ overlay, title: t("org.api.title", { name }), settings }));
}

async function editDelivery({ id, name }: OrgRow, { open, reload, t }: List) {
  const [{ deliveryDialog }, settings, { fields }] = await Promise.all([
    import("./delivery-form"),
    api.get<OrgApi>(`/org/api/${id}`),
    api.post<DeliveryPreview>("/org/api/preview", {}),
  ]);
  const saved = await open<OrgApi>((overlay) => deliveryDialog({ overlay, t, name, settings, fields }));
  if (saved) await reload(saved.proposed ? "org.api.savedProposed" : "org.api.saved");
}

function mayDecideDelivery({ deliveryMakers: makers }: OrgRow, { id }: Viewer) {
  return makers.length > 0 && !makers.includes(id);
}

/** Shows the settings that await approval beside those in use, and asks for the decision. */
function decideDelivery(approve: boolean): RowAction<OrgRow>["run"] {
  return async ({ id, name }, list) => {
    const [settings, { ProposedDelivery }] = await Promise.all([api.get<OrgApi>(`/org/api/${id}`), import("./delivery")]);
    await decideOn(approve, "/org/api", settings, name, <ProposedDelivery settings={settings} />, list);
  };
}

async function withdrawDelivery({ id, name }: OrgRow, list: List) {
  await withdrawProposal("/org/api", await api.get<OrgApi>(`/org/api/${id}`), name, list);
}

/** Sends a made-up applicant to the organisation's addresses, and shows what came back. */
async function testDelivery({ id, name }: OrgRow, { open, confirm, t }: List) {
  const question = { title: t("org.api.testTitle", { name }), text: t("org.api.testText"), confirm: t("org.api.test") };
  if (!(await confirm(question))) return;
  const { showTrials } = await import("./delivery-test");
  // The server waits for both addresses, up to the timeout of the settings.
  const trials = await api.post<DeliveryTrial[]>("/org/api/test", { id }, { patience: 40_000 });
  await open((overlay) => showTrials({ overlay, trials, title: t("org.api.testOf", { name }) }));
}

/** Shows the key with which the organisation signs its calls, and runs the chosen step. */
async function signing({ id, name }: OrgRow, { t, open, can, confirm, reload }: List) {
  const [{ showSigning, rotateDialog }, key] = await Promise.all([import("./signing"), api.get<OrgSigning>(`/org/api/secret/${id}`)]);
  const step = await open<SigningStep>((overlay) => showSigning({ overlay, name, signing: key, mayChange: can("apiSecret") }));
  if (step === "end") {
    const title = t("org.sign.endOldTitle", { name });
    if (!(await confirm({ title, text: t("org.sign.endOldText"), confirm: t("org.sign.endOld"), danger: true }))) return;
    await api.put("/org/api/secretEnd", { id, version: key.version });
    await reload("org.sign.endOldDone");
  }
  if (step !== "rotate") return;
  const made =
    key.appKey === null
      ? await api.put<OrgSecret>("/org/api/secret", { id, version: key.version })
      : await open<OrgSecret>((overlay) => rotateDialog({ overlay, t, name, signing: key }));
  if (!made) return;
  const { showSecrets } = await import("../../../ui/secret-dialog");
  await showSecrets(open, t("org.sign.title", { name }), [
    { label: t("org.sign.appKey"), value: made.appKey },
    { label: t("org.sign.appSecret"), value: made.appSecret },
  ]);
}

/** The question before a status is set. */
const questions = {
  active: { title: "org.activateTitle", text: "org.activateText", confirm: "org.activate" },
  paused: { title: "org.pauseTitle", text: "org.pauseText", confirm: "org.pause" },
  terminated: { title: "org.terminateTitle", text: "org.terminateText", confirm: "org.terminate" },
} as const;

function changeTo(status: Exclude<OrgStatus, "pending">): RowAction<OrgRow>["run"] {
  return async ({ id, version, name }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[status];
    const danger = status === "terminated";
    if (!(await confirm({ title: t(title, { name }), text: t(text), confirm: t(verb), danger }))) return;
    await api.put("/org/status", { id, version, status });
    await reload("org.statusDone");
  };
}

/** Pauses those of the picked organisations that can be; stops at the first refusal, which the client shows. */
async function pauseAll(rows: readonly OrgRow[], { t, confirm, reload }: List) {
  const pausable = rows.filter(({ status }) => orgStatusSteps[status].includes("paused"));
  if (pausable.length === 0) return notify("info", t("org.nonePausable"));
  const title = t("org.pauseManyTitle", { count: pausable.length });
  if (!(await confirm({ title, text: t("org.pauseText"), confirm: t("org.pause") }))) return;
  for (const { id, version } of pausable) await api.put("/org/status", { id, version, status: "paused" });
  await reload("org.statusDone");
}

/** Runs the compliance check of the organisation, and shows the result. */
async function comply({ id }: OrgRow, { open }: List) {
  const { showCheck } = await import("../../../ui/check-result");
  const check = await api.post<CheckRow>("/compliance/check", { targetType: "organisation", targetId: id });
  await open((overlay) => showCheck({ overlay, check, history: `/admin/test?targetType=organisation&targetId=${id}` }));
}

async function remove({ id, name }: OrgRow, { t, confirm, removed }: List) {
  const title = t("org.deleteTitle", { name });
  if (!(await confirm({ title, text: t("org.deleteText"), confirm: t("org.delete"), danger: true }))) return;
  await api.del(`/org/${id}`);
  await removed("org.deleted");
}
