/** A new team for a form that has none to choose. A lazy chunk. */
import type { TeamRow } from "../../lib/api-types";
import type { Translate } from "../../lib/i18n";
import type { Open } from "../../ui/overlay";
import { teamDialog } from "./team/form";

export async function makeTeam(open: Open, t: Translate, orgId: number) {
  const made = await open<TeamRow>((overlay) => teamDialog({ overlay, t, choices: { orgs: [], orgId }, row: undefined }));
  return made && { value: made.id, label: made.name };
}
