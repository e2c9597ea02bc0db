/** The titles of the fields of a plan in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { planFields, planFilters, planTitles, planHistoryFields } from "./fields";

export const trail: AuditTrail = {
  module: "plan",
  fields: [...planFields, ...planHistoryFields],
  titles: planTitles,
  filters: planFilters,
};
