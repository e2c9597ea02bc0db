/** What the audit trail calls the fields of a project. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { projectFields, projectFilters } from "./fields";

export const trail: AuditTrail = { module: "project", order: 26, fields: projectFields, filters: projectFilters };
