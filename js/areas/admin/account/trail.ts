/** The titles of the fields of an account in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";
import type { FieldTitles } from "../../../ui/changes";
import { adminFields, adminFilters } from "./fields";

/** What is done with an account beside its fields, in the list of accounts and of sessions alike. */
export const accountTitles: FieldTitles = {
  avatar: "account.avatar",
  job: "account.job",
  location: "account.location",
  introduction: "account.introduction",
  personalWebsite: "account.personalWebsite",
  phone: "admin.phone",
  password: "account.password",
  recoveryCodes: "factor.codes",
  session: "session.session",
  activeRole: "role.active",
  orgId: "admin.org",
  subOrgId: "admin.subOrg",
  handedOver: "admin.handedOver",
  requeued: "admin.requeued",
};

export const trail: AuditTrail = { module: "admin", fields: adminFields, titles: accountTitles, filters: adminFilters };
