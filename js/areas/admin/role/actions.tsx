/** What can be done with roles, in the list and on the page of one. */
import type { MenuNode, RoleDetail, RoleRow, RoleStatus, StandardRole } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";

/** `grants`: the viewer may decide what roles hold; a copy begins with what its source holds. */
export function roleActions(grants: boolean): readonly RowAction<RoleRow>[] {
  return [
    { label: "role.editAction", point: "update", when: isEditable, run: edit },
    { label: "role.grant", point: "grant", when: isEditable, run: grant },
    { label: "role.copy", point: "create", when: () => grants, run: (row, list) => create(list, row) },
    ...others,
  ];
}

const isEditable = ({ editable }: RoleRow) => editable;

const others: readonly RowAction<RoleRow>[] = [
  { label: "role.enable", point: "status", when: (row) => isEditable(row) && row.status === "disabled", run: changeTo("enabled") },
  {
    label: "role.disable",
    point: "status",
    danger: true,
    when: (row) => isEditable(row) && row.status === "enabled",
    run: changeTo("disabled"),
  },
  { label: "role.delete", point: "delete", danger: true, when: (row) => isEditable(row) && row.accounts === 0, run: remove },
];

/** What the viewer may grant: the tree of every form. */
const grantable = () => api.get<MenuNode[]>("/role/grantable");
const record = ({ id }: RoleRow) => api.get<RoleDetail>(`/role/${id}`);

/** Makes a role, from nothing or from another one. */
export async function create({ t, open, reload, can }: List, from?: RoleRow) {
  const { createRole } = await import("./form");
  const [tree, source] = await Promise.all([grantable(), from && record(from)]);
  const made = await open<RoleDetail>((overlay) => createRole({ overlay, t, tree, grants: can("grant"), source }));
  if (made) await reload("role.created");
}

export async function addStandard({ t, open, reload }: List, missing: readonly StandardRole[]) {
  const { standardRoles } = await import("./form");
  if (await open<number[]>((overlay) => standardRoles({ overlay, t, missing }))) await reload("role.standardAdded");
}

async function edit(row: RoleRow, { t, open, reload, can }: List) {
  const { editRole } = await import("./form");
  const [tree, role] = await Promise.all([grantable(), record(row)]);
  if (await open<RoleDetail>((overlay) => editRole({ overlay, t, tree, grants: can("grant"), role }))) await reload("role.saved");
}

async function grant(row: RoleRow, { t, open, reload }: List) {
  const { grantRole } = await import("./form");
  const [tree, role] = await Promise.all([grantable(), record(row)]);
  if (await open<RoleDetail>((overlay) => grantRole({ overlay, t, tree, role }))) await reload("role.saved");
}

/** The question before a role is switched on or off. */
const questions = {
  enabled: { title: "role.enableTitle", text: "role.enableText", confirm: "role.enable" },
  disabled: { title: "role.disableTitle", text: "role.disableText", confirm: "role.disable" },
} as const;

function changeTo(status: RoleStatus): RowAction<RoleRow>["run"] {
  return async ({ id, version, label: name, accounts }, { t, confirm, reload }) => {
    const { title, text, confirm: verb } = questions[status];
    const danger = status === "disabled";
    if (!(await confirm({ title: t(title, { name }), text: t(text, { count: accounts }), confirm: t(verb), danger }))) return;
    await api.put("/role/status", { id, version, status });
    await reload("role.statusDone");
  };
}

async function remove({ id, label: name }: RoleRow, { t, confirm, removed }: List) {
  const title = t("role.deleteTitle", { name });
  if (!(await confirm({ title, text: t("role.deleteText"), confirm: t("role.delete"), danger: true }))) return;
  await api.del(`/role/${id}`);
  await removed("role.deleted");
}
