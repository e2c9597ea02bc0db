/** The titles of the fields of a payee organisation in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { payeeFields, payeeFilters } from "./fields";

export const trail: AuditTrail = {
  module: "organisation",
  titles: { ...Object.fromEntries(payeeFields.map(({ key, title }) => [key, title])), bankAccount: "payee.bankAccount" },
  filters: payeeFilters,
};
