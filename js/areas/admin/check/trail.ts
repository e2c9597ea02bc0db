/** What the audit trail calls the fields of a compliance check. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { checkFields, checkFilters } from "./fields";

export const trail: AuditTrail = { module: "compliance", order: 31, fields: checkFields("zh-CN"), filters: checkFilters };
