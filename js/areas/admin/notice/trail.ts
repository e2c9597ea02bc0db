/** The titles of the fields of an announcement in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { noticeFields, noticeFilters } from "./fields";

export const trail: AuditTrail = { module: "notice", fields: noticeFields, filters: noticeFilters };
