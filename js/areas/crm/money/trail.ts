/** The titles of the fields of money in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { moneyFields, moneyFilters, moneyTitles } from "./fields";

export const trail: AuditTrail = { module: "clueMoney", fields: moneyFields, titles: moneyTitles, filters: moneyFilters };
