/** What the audit trail calls the fields of an agreement. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { agreementFields, agreementFilters } from "./fields";

export const trail: AuditTrail = { module: "agreement", order: 33, fields: agreementFields, filters: agreementFilters };
