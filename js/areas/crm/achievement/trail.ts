/** The titles of the fields of achievements in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { achievementFields, achievementFilters, achievementTitles } from "./fields";

export const trail: AuditTrail = {
  module: "achievement",
  fields: achievementFields,
  titles: achievementTitles,
  filters: achievementFilters,
};
