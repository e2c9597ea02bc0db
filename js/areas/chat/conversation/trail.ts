/** The titles of the fields of a conversation in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = {
  module: "conversation",
  titles: {
    groupName: "conversation.groupName",
    staffName: "conversation.staffName",
    status: "conversation.status",
    priority: "conversation.priority",
    snoozedUntil: "conversation.snoozedUntil",
    closeNote: "conversation.closeNote",
  },
};
