/** The titles of the fields of a session in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { adminFields } from "../account/fields";
import { accountTitles } from "../account/trail";

export const trail: AuditTrail = { module: "session", fields: adminFields, titles: accountTitles };
