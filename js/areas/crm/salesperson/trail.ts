/** The titles of the fields of a salesperson in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { salespersonFields, salespersonFilters, salespersonTitles } from "./fields";

export const trail: AuditTrail = {
  module: "salesperson",
  fields: salespersonFields,
  titles: salespersonTitles,
  filters: salespersonFilters,
};
