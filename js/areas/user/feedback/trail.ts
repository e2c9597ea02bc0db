/** The titles of the fields of feedback in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { feedbackFields, feedbackFilters, feedbackTitles } from "./fields";

export const trail: AuditTrail = {
  module: "feedback",
  fields: feedbackFields,
  titles: feedbackTitles,
  filters: feedbackFilters,
};
