/** The titles of the fields of a blacklist entry in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { blacklistFields, blacklistFilters, blacklistTitles } from "./fields";

export const trail: AuditTrail = {
  module: "blacklist",
  fields: blacklistFields,
  titles: blacklistTitles,
  filters: blacklistFilters,
};
