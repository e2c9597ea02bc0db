/** The titles of the fields of an applicant, and of the filters of matching questions, whose exports have the same module, in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { matchFilters } from "../match/fields";
import { userFilters, userHistoryFields } from "./fields";

export const trail: AuditTrail = {
  module: "user",
  fields: userHistoryFields,
  titles: { name: "logs.file" },
  filters: [...userFilters, ...matchFilters],
};
