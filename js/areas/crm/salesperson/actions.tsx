/** What can be done with a salesperson, in the list and on the page of one. */
import type { SalespersonRow, SalesStatus, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLoaded, useViewer } from "../../../lib/props";
import type { List, RowAction } from "../../../ui/actions";
import type { SalespersonChoices } from "./fields";

/** The choices that the page's loads brought. */
export function useSalespersonChoices(): SalespersonChoices {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const viewer = useViewer();
  return { orgs, orgId: viewer?.orgId ?? null, moves: viewer?.scope !== "sub_org" };
}

export function salespersonActions(choices: SalespersonChoices): readonly RowAction<SalespersonRow>[] {
  return [
    { label: "salesperson.editAction", point: "sales", run: (row, list) => edit(row, list, choices) },
    { label: "salesperson.stopReceiving", point: "sales", when: ({ receiving }) => receiving, run: receive(false) },
    {
      label: "salesperson.startReceiving",
      point: "sales",
      when: ({ status, receiving }) => status === "active" && !receiving,
      run: receive(true),
    },
    { label: "salesperson.away", point: "sales", when: ({ status }) => status === "active", run: change("away") },
    { label: "salesperson.back", point: "sales", when: ({ status }) => status === "away", run: change("active") },
    { label: "salesperson.rehire", point: "sales", when: ({ status }) => status === "left", run: change("active") },
    { label: "salesperson.leave", point: "sales", danger: true, when: ({ status }) => status !== "left", run: leave },
  ];
}

/** Opens the form of a new salesperson. */
export async function create({ t, open, reload }: List, choices: SalespersonChoices) {
  const { newSalesperson } = await import("./form");
  if (await open<SalespersonRow>((overlay) => newSalesperson({ overlay, t, choices }))) await reload("salesperson.created");
}

async function edit(row: SalespersonRow, { t, open, reload }: List, choices: SalespersonChoices) {
  const [{ editSalesperson }, teams] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>("/org/subOptions", { orgId: String(row.orgId) }),
  ]);
  if (await open<SalespersonRow>((overlay) => editSalesperson({ overlay, t, choices, teams, row }))) await reload("salesperson.saved");
}

function receive(receiving: boolean) {
  return async ({ id, version }: SalespersonRow, { reload }: List) => {
    await api.put("/crm/salesperson/receiving", { id, version, receiving });
    await reload(receiving ? "salesperson.receives" : "salesperson.receivesNone");
  };
}

const CHANGED = { away: "salesperson.isAway", active: "salesperson.isActive" } as const;

function change(status: Exclude<SalesStatus, "left">) {
  return async ({ id, version, name }: SalespersonRow, { t, confirm, reload }: List) => {
    if (
      status === "away" &&
      !(await confirm({ title: t("salesperson.awayTitle", { name }), text: t("salesperson.awayText"), confirm: t("salesperson.away") }))
    )
      return;
    await api.put("/crm/salesperson/status", { id, version, status });
    await reload(CHANGED[status]);
  };
}

async function leave(row: SalespersonRow, { t, open, reload }: List) {
  const [{ leaveDialog }, people] = await Promise.all([
    import("./form"),
    api.get<SelectOption[]>("/crm/salesperson/options", { orgId: String(row.orgId) }),
  ]);
  if (await open<SalespersonRow>((overlay) => leaveDialog({ overlay, t, row, people }))) await reload("salesperson.hasLeft");
}
