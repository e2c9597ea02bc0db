/** What the audit trail calls the fields of a blacklist entry. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { blacklistFields, blacklistFilters, blacklistTitles } from "./fields";

export const trail: AuditTrail = { module: "blacklist", order: 1, fields: blacklistFields, titles: blacklistTitles, filters: blacklistFilters };
