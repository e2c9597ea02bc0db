/** What the audit trail calls the fields of a team. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { teamFields, teamFilters } from "./fields";

export const trail: AuditTrail = { module: "team", order: 11, fields: teamFields, filters: teamFilters };
