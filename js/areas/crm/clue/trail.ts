/** The titles of the fields of a clue in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { clueFields, clueFilters, clueTitles } from "./fields";

export const trail: AuditTrail = { module: "clue", fields: clueFields, titles: clueTitles, filters: clueFilters };
