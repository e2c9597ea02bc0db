/** The titles of the fields of a member of staff in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { staffFields, staffFilters } from "./fields";

export const trail: AuditTrail = { module: "chatStaff", fields: staffFields, filters: staffFilters };
