/** The titles of the fields of a menu entry in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = {
  module: "menu",
  titles: {
    name: "menu.name",
    title: "menu.name",
    titleZh: "menu.titleZh",
    titleEn: "menu.titleEn",
    icon: "menu.icon",
    sort: "menu.sort",
    externalUrl: "menu.externalUrl",
    hidden: "menu.hidden",
    enabled: "menu.enabled",
    everyone: "menu.everyone",
  },
};
