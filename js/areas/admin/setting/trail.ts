/** What the audit trail calls the settings: by their own keys. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = { module: "setting", order: 30 };
