/** The titles of the fields of a compliance check in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { checkFields, checkFilters } from "./fields";

export const trail: AuditTrail = { module: "compliance", fields: checkFields("zh-CN"), filters: checkFilters };
