/** The titles of the fields of a customer in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { customerFields, customerFilters } from "./fields";

export const trail: AuditTrail = { module: "chatCustomer", order: 18, fields: customerFields, filters: customerFilters };
