/** The titles of the fields of a product in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { productFields, productFilters } from "./fields";

export const trail: AuditTrail = { module: "product", fields: productFields, filters: productFilters };
