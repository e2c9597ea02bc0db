/** What is done with a channel, in the list and on the channel's page. */
import type {
  ChannelMode,
  ChannelNow,
  ChannelRow,
  ChannelSecret,
  ChannelStatus,
  ChannelTest,
  CheckRow,
  SelectOption,
} from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import { channelStatusSteps } from "../../../lib/codes";
import { notify } from "../../../lib/toast";
import type { BatchAction, List, RowAction } from "../../../ui/actions";

/** In the list, where editing is most frequent. */
export const rowActions = (owners: readonly SelectOption[]): readonly RowAction<ChannelNow>[] => [
  editing(owners),
  ...begin,
  ...stop,
  test,
  goLive,
  backToTest,
  ...others,
];

/** On the page of a channel, where the step comes first that lets its leads be sold. */
export const pageActions = (owners: readonly SelectOption[]): readonly RowAction<ChannelNow>[] => [
  ...begin,
  goLive,
  editing(owners),
  test,
  ...stop,
  backToTest,
  ...others,
];

const editing = (owners: readonly SelectOption[]): RowAction<ChannelNow> => ({
  label: "channel.editAction",
  point: "update",
  run: (row, list) => edit(row, list, owners),
});

const begin: readonly RowAction<ChannelNow>[] = [
  { label: "channel.enable", point: "status", when: ({ status }) => status === "disabled", run: changeTo("enabled") },
  { label: "channel.resume", point: "status", when: ({ status }) => status === "paused", run: changeTo("enabled") },
];

const stop: readonly RowAction<ChannelNow>[] = [
  { label: "channel.pause", point: "status", when: ({ status }) => channelStatusSteps[status].includes("paused"), run: changeTo("paused") },
  {
    label: "channel.disable",
    point: "status",
    danger: true,
    when: ({ status }) => channelStatusSteps[status].includes("disabled"),
    run: changeTo("disabled"),
  },
];

const test: RowAction<ChannelNow> = { label: "channel.test", point: "test", run: testLead };

const goLive: RowAction<ChannelNow> = { label: "channel.toLive", point: "mode", when: ({ mode }) => mode === "test", run: toLive };

const backToTest: RowAction<ChannelNow> = {
  label: "channel.toTest",
  point: "mode",
  when: ({ mode }) => mode === "live",
  run: changeMode("test"),
};

const others: readonly RowAction<ChannelNow>[] = [
  { label: "uv.visits", point: "channel/uv-list/list", run: ({ id }, { go }) => go(`/channel/uv-list?subjectId=${id}`) },
  { label: "channel.comply", point: "admin/test/check", run: comply },
  { label: "channel.rotate", point: "secret", run: rotate },
  {
    label: "channel.endOld",
    point: "secret",
    danger: true,
    when: ({ oldSecretUntil }) => oldSecretUntil !== null,
    run: endOldSecret,
  },
  { label: "channel.delete", point: "delete", danger: true, run: remove },
];

export const batch: readonly BatchAction<ChannelNow>[] = [{ label: "channel.pause", icon: "pause", point: "status", run: pauseAll }];

export async function create({ t, open, reload }: List, owners: readonly SelectOption[]) {
  const [{ createChannel, showSecret }] = await Promise.all([import("./form"), refreshChoices()]);
  const made = await open<ChannelSecret & { name: string }>((overlay) => createChannel({ overlay, t, owners }));
  if (!made) return;
  await reload("channel.created");
  await showSecret(made, { t, open });
}

async function edit(row: ChannelRow, { t, open, reload }: List, owners: readonly SelectOption[]) {
  const [{ editChannel }] = await Promise.all([import("./form"), refreshChoices()]);
  if (await open<ChannelRow>((overlay) => editChannel({ overlay, t, owners, row }))) await reload("channel.saved");
}

/** The question before a status is set; enabling is not marked as dangerous. */
const questions = {
  enabled: { title: "channel.enableTitle", text: "channel.enableText", confirm: "channel.enable" },
  paused: { title: "channel.pauseTitle", text: "channel.pauseText", confirm: "channel.pause" },
  disabled: { title: "channel.disableTitle", text: "channel.disableText", confirm: "channel.disable" },
} as const;

function changeTo(status: ChannelStatus): RowAction<ChannelNow>["run"] {
  return async ({ id, version, name }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[status];
    const danger = status === "disabled";
    if (!(await confirm({ title: t(title, { name }), text: t(text), confirm: t(verb), danger }))) return;
    await api.put("/channel/status", { id, version, status });
    await reload("channel.statusDone");
  };
}

/** Pauses those of the picked channels that can be; stops at the first refusal, which the client shows. */
async function pauseAll(rows: readonly ChannelRow[], { t, confirm, reload }: List) {
  const pausable = rows.filter(({ status }) => channelStatusSteps[status].includes("paused"));
  if (pausable.length === 0) return notify("info", t("channel.nonePausable"));
  const title = t("channel.pauseManyTitle", { count: pausable.length });
  if (!(await confirm({ title, text: t("channel.pauseText"), confirm: t("channel.pause") }))) return;
  for (const { id, version } of pausable) await api.put("/channel/status", { id, version, status: "paused" });
  await reload("channel.statusDone");
}

/** Runs the compliance check of the channel, and shows the result. */
async function comply({ id }: ChannelRow, { open }: List) {
  const { showCheck } = await import("../../../ui/check-result");
  const check = await api.post<CheckRow>("/compliance/check", { targetType: "channel", targetId: id });
  await open((overlay) => showCheck({ overlay, check, history: `/admin/test?targetType=channel&targetId=${id}` }));
}

/** Runs a test lead: asks for a made-up applicant, checks them, and shows the result. Returns whether it passed. */
async function testLead(row: ChannelNow, { t, open, reload }: List) {
  const [{ testLeadDialog, showTest }, channel] = await Promise.all([
    import("./test-lead"),
    api.get<ChannelNow>(`/channel/${row.id}`),
    refreshChoices(),
  ]);
  const test = await open<ChannelTest>((overlay) => testLeadDialog({ overlay, t, channel }));
  if (!test) return false;
  await reload();
  await open((overlay) => showTest({ overlay, test, name: row.name }));
  return test.passed;
}

/** Takes a channel live. Without a test lead that passed, one is sent first. */
async function toLive(row: ChannelNow, list: List) {
  const { t, confirm, can } = list;
  const test = can("view") ? await api.get<ChannelTest | null>(`/channel/test/${row.id}`) : null;
  if (can("view") && !(test?.passed && test.current)) {
    const question = { title: t("channel.toLiveTitle", { name: row.name }), text: t("channel.toLiveFirst") };
    if (!can("test")) return confirm({ ...question, confirm: t("ui.close") });
    if (!(await confirm({ ...question, confirm: t("channel.test") })) || !(await testLead(row, list))) return;
  }
  await changeMode("live")(row, list);
}

function changeMode(mode: ChannelMode): RowAction<ChannelNow>["run"] {
  return async ({ id, version, name }, { t, confirm, reload }) => {
    const [title, text, verb] =
      mode === "live"
        ? (["channel.toLiveTitle", "channel.toLiveText", "channel.toLive"] as const)
        : (["channel.toTestTitle", "channel.toTestText", "channel.toTest"] as const);
    if (!(await confirm({ title: t(title, { name }), text: t(text), confirm: t(verb) }))) return;
    await api.put("/channel/mode", { id, version, mode });
    await reload("channel.modeDone");
  };
}

async function rotate(row: ChannelNow, { t, open, reload }: List) {
  const { rotateDialog, showSecret } = await import("./form");
  const secret = await open<ChannelSecret>((overlay) => rotateDialog({ overlay, t, row }));
  if (!secret) return;
  await reload();
  await showSecret({ ...secret, name: row.name }, { t, open });
}

async function endOldSecret({ id, version, name }: ChannelNow, { t, confirm, reload }: List) {
  const title = t("channel.endOldTitle", { name });
  if (!(await confirm({ title, text: t("channel.endOldText"), confirm: t("channel.endOld"), danger: true }))) return;
  await api.put("/channel/secretEnd", { id, version });
  await reload("channel.endOldDone");
}

async function remove({ id, name }: ChannelRow, { t, confirm, removed }: List) {
  const title = t("channel.deleteTitle", { name });
  if (!(await confirm({ title, text: t("channel.deleteText"), confirm: t("channel.delete"), danger: true }))) return;
  await api.del(`/channel/${id}`);
  await removed("channel.deleted");
}
