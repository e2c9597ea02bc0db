/** What the audit trail calls the fields of a salesperson. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { salespersonFields, salespersonFilters, salespersonTitles } from "./fields";

export const trail: AuditTrail = {
  module: "salesperson",
  order: 12,
  fields: salespersonFields,
  titles: salespersonTitles,
  filters: salespersonFilters,
};
