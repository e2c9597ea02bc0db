/** The titles of the fields of a push in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { pushFields, pushFilters, pushTitles, pushTrailFields } from "./fields";

export const trail: AuditTrail = {
  module: "push",
  fields: [...pushFields, ...pushTrailFields],
  titles: pushTitles,
  filters: pushFilters,
};
