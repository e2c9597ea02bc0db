/** What the audit trail calls the fields of a group. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { groupFields, groupFilters } from "./fields";

export const trail: AuditTrail = { module: "chatGroup", order: 14, fields: groupFields, filters: groupFilters };
