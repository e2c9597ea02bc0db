/** The titles of the fields of a reply in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { replyFields, replyFilters } from "./fields";

export const trail: AuditTrail = { module: "chatReply", fields: replyFields, filters: replyFilters };
