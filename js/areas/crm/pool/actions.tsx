/** What can be done with a pool, in the list and on the page of one. */
import type { PoolRow, SelectOption, UseStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLoaded, useViewer } from "../../../lib/props";
import type { Viewer } from "../../../lib/types";
import type { List, RowAction } from "../../../ui/actions";
import type { PoolChoices } from "./fields";

/** The choices that the page's loads brought. */
export function usePoolChoices(): PoolChoices {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  return { orgs, orgId: useViewer()?.orgId ?? null };
}

/** A team's own people change no pool. */
const mayChange = (_: PoolRow, { scope }: Viewer) => scope !== "sub_org";

export function poolActions(choices: PoolChoices): readonly RowAction<PoolRow>[] {
  return [
    { label: "pool.editAction", point: "pool", when: mayChange, run: (row, list) => edit(row, list, choices) },
    {
      label: "pool.enable",
      point: "pool",
      when: (row, viewer) => mayChange(row, viewer) && row.status === "disabled",
      run: change("enabled"),
    },
    {
      label: "pool.disable",
      point: "pool",
      danger: true,
      when: (row, viewer) => mayChange(row, viewer) && row.status === "enabled",
      run: change("disabled"),
    },
    { label: "pool.delete", point: "pool", danger: true, when: mayChange, run: remove },
  ];
}

/** Opens the form of a pool; of a new one without a row. */
export async function edit(row: PoolRow | undefined, { t, open, reload }: List, choices: PoolChoices) {
  const orgId = row?.orgId ?? choices.orgId;
  const [{ poolDialog }, teams] = await Promise.all([
    import("./form"),
    orgId === null ? null : api.get<SelectOption[]>("/org/subOptions", { orgId: String(orgId) }),
  ]);
  if (await open<PoolRow>((overlay) => poolDialog({ overlay, t, choices, teams, row }))) await reload(row ? "pool.saved" : "pool.created");
}

function change(status: UseStatus) {
  return async ({ id, version, name }: PoolRow, { t, confirm, reload }: List) => {
    if (status === "disabled") {
      const title = t("pool.disableTitle", { name });
      if (!(await confirm({ title, text: t("pool.disableText"), confirm: t("pool.disable"), danger: true }))) return;
    }
    await api.put("/crm/pool/status", { id, version, status });
    await reload(status === "enabled" ? "pool.enabled" : "pool.disabled");
  };
}

async function remove({ id, name }: PoolRow, { t, confirm, removed }: List) {
  const title = t("pool.deleteTitle", { name });
  if (!(await confirm({ title, text: t("pool.deleteText"), confirm: t("pool.delete"), danger: true }))) return;
  await api.del(`/crm/pool/${id}`);
  await removed("pool.deleted");
}
