/** The titles of the fields of a receipt in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { receiptFields, receiptFilters, receiptTitles } from "./fields";

export const trail: AuditTrail = { module: "receipt", fields: receiptFields, titles: receiptTitles, filters: receiptFilters };
