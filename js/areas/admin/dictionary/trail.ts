/** The titles of the fields of the dictionary in the audit trail. */
import type { AuditTrail } from "../../../ui/audit-trail";

export const trail: AuditTrail = {
  module: "dictionary",
  titles: {
    code: "dict.code",
    nameZh: "dict.nameZh",
    nameEn: "dict.nameEn",
    remark: "dict.remark",
    typeCode: "dict.type",
    value: "dict.value",
    labelZh: "dict.labelZh",
    labelEn: "dict.labelEn",
    sort: "dict.sort",
    tagColor: "dict.tagColor",
    isDefault: "dict.isDefault",
    status: "dict.status",
  },
};
