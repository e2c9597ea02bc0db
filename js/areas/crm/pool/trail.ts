/** The titles of the fields of a pool in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { poolFields, poolFilters } from "./fields";

export const trail: AuditTrail = { module: "cluePool", fields: poolFields, filters: poolFilters };
