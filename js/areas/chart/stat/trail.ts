/** What the audit trail calls the filters of statistics. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { statFilters, statTitles } from "./list";

export const trail: AuditTrail = { module: "statistics", order: 24, titles: statTitles, filters: statFilters };
