/** The titles of the fields of uploaded files and of exports in the audit trail. */
import type { AuditTrail } from "../../ui/audit-trail";
import type { FieldTitles } from "../../ui/changes";

const titles: FieldTitles = {
  name: "logs.file",
  title: "logs.file",
  type: "logs.fileType",
  size: "logs.fileSize",
  virus: "logs.virus",
  status: "account.exportStatus",
};

export const trail: readonly AuditTrail[] = [
  { module: "upload", titles },
  { module: "export", titles },
];
