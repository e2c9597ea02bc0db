/** Exports of the login log in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "loginLog" };
