/** The titles of the settings in the audit trail: their own keys. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "setting" };
