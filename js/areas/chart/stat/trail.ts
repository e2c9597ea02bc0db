/** The titles of the filters of statistics in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { statFilters, statTitles } from "./list";

export const trail: AuditTrail = { module: "statistics", titles: statTitles, filters: statFilters };
