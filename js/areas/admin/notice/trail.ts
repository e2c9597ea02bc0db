/** What the audit trail calls the fields of an announcement. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { noticeFields, noticeFilters } from "./fields";

export const trail: AuditTrail = { module: "notice", order: 35, fields: noticeFields, filters: noticeFilters };
