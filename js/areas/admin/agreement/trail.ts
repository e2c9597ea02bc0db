/** The titles of the fields of an agreement in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { agreementFields, agreementFilters } from "./fields";

export const trail: AuditTrail = { module: "agreement", fields: agreementFields, filters: agreementFilters };
