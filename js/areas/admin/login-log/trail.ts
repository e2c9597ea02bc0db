/** What the audit trail calls exports of the login log. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "loginLog", order: 37 };
