/** The titles of the fields of a team in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { teamFields, teamFilters } from "./fields";

export const trail: AuditTrail = { module: "team", fields: teamFields, filters: teamFilters };
