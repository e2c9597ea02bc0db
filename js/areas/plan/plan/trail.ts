/** The titles of the fields of a plan in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { planFields, planFilters, planTitles, planTold } from "./fields";

export const trail: AuditTrail = { module: "plan", order: 7, fields: [...planFields, ...planTold], titles: planTitles, filters: planFilters };
