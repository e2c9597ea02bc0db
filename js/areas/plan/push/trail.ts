/** The titles of the fields of a push in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { pushFields, pushFilters, pushTitles, pushTold } from "./fields";

export const trail: AuditTrail = {
  module: "push",
  fields: [...pushFields, ...pushTold],
  titles: pushTitles,
  filters: pushFilters,
};
