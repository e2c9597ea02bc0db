/** /admin/audit: who changed what, when, from where. */
import type { AuditRow } from "../../../lib/api-types";
import { actionCodes, moduleCodes } from "../../../lib/codes";
import type { Filter } from "../../../ui/list-filter";
import { ListPage } from "../../../ui/list-page";
import { auditFields } from "./fields";

const filters: readonly Filter[] = [
  { name: "keyword", label: "logs.who", kind: "text", placeholder: "admin.keywordHint" },
  { name: "action", label: "logs.action", kind: "select", options: { codes: actionCodes, labels: "Action" } },
  { name: "at", label: "logs.at", kind: "days" },
  { name: "module", label: "logs.module", kind: "select", options: { codes: moduleCodes, labels: "Module" } },
  { name: "targetType", label: "logs.targetType", kind: "text" },
  { name: "targetId", label: "logs.targetId", kind: "text" },
  { name: "requestId", label: "logs.request", kind: "text" },
];

const addressOf = ({ id }: AuditRow) => `/admin/audit/${id}`;

export default function AuditTrail() {
  return (
    <ListPage
      title="logs.auditTitle"
      empty="logs.auditEmpty"
      api="/audit"
      points="admin/audit"
      fields={auditFields}
      filters={filters}
      href={addressOf}
    />
  );
}
