/** What the audit trail calls exports of itself. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "audit", order: 36 };
