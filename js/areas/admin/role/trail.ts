/** The titles of the fields of a role in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { roleFields, roleFilters, roleTitles } from "./fields";

export const trail: AuditTrail = { module: "role", fields: roleFields, titles: roleTitles, filters: roleFilters };
