/** What the audit trail calls the fields of a member of staff. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { staffFields, staffFilters } from "./fields";

export const trail: AuditTrail = { module: "chatStaff", order: 15, fields: staffFields, filters: staffFilters };
