/** Exports of the audit trail in the trail itself. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "audit" };
