/** The titles of the fields of a project in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { projectFields, projectFilters } from "./fields";

export const trail: AuditTrail = { module: "project", fields: projectFields, filters: projectFilters };
