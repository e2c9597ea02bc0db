/** What the audit trail calls the fields of an applicant, and the filters of questions, whose exports are listed with theirs. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { matchFilters } from "../match/fields";
import { userFilters, userHistoryFields } from "./fields";

export const trail: AuditTrail = {
  module: "user", order: 21, fields: userHistoryFields, titles: { name: "logs.file" }, filters: [...userFilters, ...matchFilters],
};
