/** What the audit trail calls the fields of a session. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { adminFields } from "../account/fields";
import { accountTitles } from "../account/trail";

export const trail: AuditTrail = { module: "session", order: 28, fields: adminFields, titles: accountTitles };
