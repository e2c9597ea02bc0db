/** What can be done with an account, in the list and on the page of one. */
import type { AdminOpenWork, AdminRow, AdminStatus, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { useLoaded, useViewer } from "../../../lib/props";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";
import type { AdminChoices } from "./fields";
import type { NewAccount } from "./form";

/** The choices that the page's loads brought. */
export function useAdminChoices(): AdminChoices {
  const roles = useLoaded<SelectOption[]>("roles") ?? [];
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  return { roles, orgs, orgId: useViewer()?.orgId ?? null };
}

export function adminActions(choices: AdminChoices): readonly RowAction<AdminRow>[] {
  return [{ label: "admin.editAction", point: "update", when: isChangeable, run: (row, list) => edit(row, list, choices) }, ...others];
}

/** The built-in account cannot be changed. */
const isChangeable = ({ builtin }: AdminRow) => !builtin;
/** Users cannot disable or delete their own account. */
const isAnother = ({ builtin, id }: AdminRow, viewer: Viewer) => !builtin && id !== viewer.id;

const others: readonly RowAction<AdminRow>[] = [
  { label: "admin.enable", point: "status", when: (row) => isChangeable(row) && row.status === "disabled", run: changeTo("enabled") },
  { label: "admin.unlock", point: "status", when: (row) => isChangeable(row) && row.status === "locked", run: changeTo("enabled") },
  { label: "admin.resetPwd", point: "resetPwd", when: isAnother, run: resetPassword },
  {
    label: "admin.removeFactor",
    point: "resetPwd",
    danger: true,
    when: (row, viewer) => isAnother(row, viewer) && row.secondFactor,
    run: removeFactor,
  },
  {
    label: "admin.disable",
    point: "status",
    danger: true,
    when: (row, viewer) => isAnother(row, viewer) && row.status !== "disabled",
    run: changeTo("disabled"),
  },
  { label: "admin.delete", point: "delete", danger: true, when: isAnother, run: remove },
];

export async function create({ t, open, reload }: List, choices: AdminChoices) {
  const { createAdmin, showPassword } = await import("./form");
  const made = await open<NewAccount>((overlay) => createAdmin({ overlay, t, choices }));
  if (!made) return;
  await reload("admin.created");
  await showPassword(made, { t, open });
}

async function edit(row: AdminRow, { t, open, reload }: List, choices: AdminChoices) {
  const { editAdmin } = await import("./form");
  if (await open<AdminRow>((overlay) => editAdmin({ overlay, t, choices, row }))) await reload("admin.saved");
}

/** The question before an account is enabled, unlocked or disabled. */
const questions = {
  enabled: { title: "admin.enableTitle", text: "admin.enableText", confirm: "admin.enable" },
  unlocked: { title: "admin.unlockTitle", text: "admin.unlockText", confirm: "admin.unlock" },
  disabled: { title: "admin.disableTitle", text: "admin.disableText", confirm: "admin.disable" },
} as const;

function changeTo(status: Exclude<AdminStatus, "locked">): RowAction<AdminRow>["run"] {
  return async ({ id, version, username: name, status: before }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[before === "locked" && status === "enabled" ? "unlocked" : status];
    const danger = status === "disabled";
    const what = danger ? disabling(await api.get<AdminOpenWork>(`/admin/openWork/${id}`), t) : t(text);
    if (!(await confirm({ title: t(title, { name }), text: what, confirm: t(verb), danger }))) return;
    await api.put("/admin/status", { id, version, status });
    await reload("admin.statusDone");
  };
}

/** The effects of disabling an account: on its session, its open work and its submissions. */
function disabling({ clues, conversations }: AdminOpenWork, t: Translate) {
  const work = [
    clues > 0 && t("admin.disableClues", { count: clues }),
    conversations > 0 && t("admin.disableConversations", { count: conversations }),
  ].filter((line) => line !== false);
  return (
    <>
      <p>{t("admin.disableText")}</p>
      {work.length > 0 && <p>{t("admin.disableWork", { work: work.join(t("ui.comma")) })}</p>}
      <p>{t("admin.disableSubmitted")}</p>
    </>
  );
}

async function resetPassword({ id, version, username }: AdminRow, { t, open, confirm, reload }: List) {
  const title = t("admin.resetTitle", { name: username });
  if (!(await confirm({ title, text: t("admin.resetText"), confirm: t("admin.resetPwd"), danger: true }))) return;
  const { password } = await api.put<{ password: string }>("/admin/resetPwd", { id, version });
  await reload();
  const { showPassword } = await import("./form");
  await showPassword({ username, password }, { t, open });
}

async function removeFactor({ id, version, username: name }: AdminRow, { t, confirm, reload }: List) {
  const question = { title: t("admin.removeFactorTitle", { name }), text: t("admin.removeFactorText"), confirm: t("admin.removeFactor") };
  if (!(await confirm({ ...question, danger: true }))) return;
  await api.put("/admin/secondFactor", { id, version });
  await reload("admin.removeFactorDone");
}

async function remove({ id, username }: AdminRow, { t, confirm, removed }: List) {
  const title = t("admin.deleteTitle", { name: username });
  if (!(await confirm({ title, text: t("admin.deleteText"), confirm: t("admin.delete"), danger: true }))) return;
  await api.del(`/admin/${id}`);
  await removed("admin.deleted");
}
