/** The titles of the fields of a channel in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import { channelFields, channelFilters } from "./fields";

export const trail: AuditTrail = {
  module: "channel",
  fields: channelFields,
  titles: { appSecret: "channel.appSecret", testLead: "channel.test" },
  filters: channelFilters,
};
