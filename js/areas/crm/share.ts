/** What other areas take from the CRM. */
import type { NewRecord } from "../../ui/new-record";

/** A team of the organisation that is chosen. */
export const newTeam: NewRecord = {
  route: "crmTeam",
  point: "crm/saleman/create",
  none: "team.none",
  make: async (open, t, org) => (await import("./new-record")).makeTeam(open, t, Number(org)),
};
