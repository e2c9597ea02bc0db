/** What the audit trail calls the fields of money. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { moneyFields, moneyFilters, moneyTitles } from "./fields";

export const trail: AuditTrail = { module: "clueMoney", order: 23, fields: moneyFields, titles: moneyTitles, filters: moneyFilters };
