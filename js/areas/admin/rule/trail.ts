/** What the audit trail calls the fields of a compliance rule. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { ruleFields, ruleFilters } from "./fields";

export const trail: AuditTrail = { module: "compliance", fields: ruleFields("zh-CN"), filters: ruleFilters };
