/** The titles of the fields of a return in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { returnFields, returnTitles } from "./fields";

export const trail: AuditTrail = { module: "return", fields: returnFields, titles: returnTitles };
