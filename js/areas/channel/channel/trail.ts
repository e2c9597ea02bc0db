/** The titles of the fields of a channel in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { channelFields, channelFilters, channelTitles } from "./fields";

export const trail: AuditTrail = {
  module: "channel",
  fields: channelFields,
  titles: channelTitles,
  filters: channelFilters,
};
