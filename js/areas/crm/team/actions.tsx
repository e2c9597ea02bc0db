/** What can be done with a team, in the list and on the page of one. */
import type { SelectOption, TeamRow } from "../../../lib/api-types";
import { useLoaded, useViewer } from "../../../lib/props";
import type { List, RowAction } from "../../../ui/actions";
import type { TeamChoices } from "./fields";

/** The choices that the page's loads brought. */
export function useTeamChoices(): TeamChoices {
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  return { orgs, orgId: useViewer()?.orgId ?? null };
}

export function teamActions(choices: TeamChoices): readonly RowAction<TeamRow>[] {
  return [{ label: "team.editAction", point: "update", run: (row, list) => edit(row, list, choices) }];
}

/** Opens the form of a team; of a new one without a row. */
export async function edit(row: TeamRow | undefined, { t, open, reload }: List, choices: TeamChoices) {
  const { teamDialog } = await import("./form");
  if (await open<TeamRow>((overlay) => teamDialog({ overlay, t, choices, row }))) await reload(row ? "team.saved" : "team.created");
}
