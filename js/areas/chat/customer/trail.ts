/** What the audit trail calls the fields of a customer. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { customerFields, customerFilters } from "./fields";

export const trail: AuditTrail = { module: "chatCustomer", order: 18, fields: customerFields, filters: customerFilters };
