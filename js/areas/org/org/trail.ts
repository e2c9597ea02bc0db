/** What the audit trail calls the fields of an organisation. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { orgFields, orgFilters, orgTitles } from "./fields";

export const trail: AuditTrail = { module: "organisation", order: 3, fields: orgFields, titles: orgTitles, filters: orgFilters };
