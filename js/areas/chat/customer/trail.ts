/** The titles of the fields of a customer in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { customerFields, customerFilters } from "./fields";

export const trail: AuditTrail = { module: "chatCustomer", fields: customerFields, filters: customerFilters };
