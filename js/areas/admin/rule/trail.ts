/** The titles of the fields of a compliance rule in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { ruleFields, ruleFilters } from "./fields";

export const trail: AuditTrail = { module: "compliance", fields: ruleFields("zh-CN"), filters: ruleFilters };
