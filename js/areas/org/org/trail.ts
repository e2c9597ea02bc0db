/** The titles of the fields of an organisation in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { orgFields, orgFilters, orgTitles } from "./fields";

export const trail: AuditTrail = { module: "organisation", fields: orgFields, titles: orgTitles, filters: orgFilters };
