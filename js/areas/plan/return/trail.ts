/** What the audit trail calls the fields of a return. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { returnFields, returnTitles } from "./fields";

export const trail: AuditTrail = { module: "return", order: 9, fields: returnFields, titles: returnTitles };
