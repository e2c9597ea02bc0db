/** The titles of the fields of a group in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { groupFields, groupFilters } from "./fields";

export const trail: AuditTrail = { module: "chatGroup", fields: groupFields, filters: groupFilters };
