/** The titles of the fields of a text message in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { smsFields, smsFilters } from "./fields";

export const trail: AuditTrail = { module: "sms", fields: smsFields, filters: smsFilters };
