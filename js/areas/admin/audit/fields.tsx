/** An entry's fields, for the list and the page of one. */
import type { AuditRow } from "../../../lib/api-types";
import { EMPTY } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { wordsOf } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { fieldsOf, titlesOf } from "./modules";
import { pageOf } from "./targets";

export const auditFields: readonly Field<AuditRow>[] = [
  { key: "at", title: "logs.at", kind: "time", sort: true },
  {
    key: "adminName",
    title: "logs.who",
    show: (row, t) =>
      row.adminId === null || row.adminDeleted ? (
        whoOf(row, t)
      ) : (
        <RecordLink href={`/admin/list/${row.adminId}`} point="admin/list/view" name={whoOf(row, t)} />
      ),
  },
  { key: "username", title: "admin.username", list: "hidden" },
  { key: "role", title: "role.label", list: "hidden" },
  { key: "module", title: "logs.module", kind: "enum", labels: "Module" },
  {
    key: "action",
    title: "logs.action",
    kind: "enum",
    labels: "Action",
    colors: {
      create: "green",
      update: "blue",
      delete: "red",
      grant: "purple",
      export: "orange",
      download: "orange",
      search: "orange",
      reveal: "orange",
      money: "red",
    },
  },
  {
    key: "targetName",
    title: "logs.target",
    show: (row) => {
      const page = row.action === "delete" ? undefined : pageOf(row);
      return page ? <RecordLink {...page} name={targetOf(row)} /> : targetOf(row);
    },
  },
  { key: "targetId", title: "logs.targetId", kind: "code", list: "hidden" },
  { key: "diff", title: "logs.diff", show: summary, detail: false },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "requestId", title: "logs.request", kind: "code", list: "hidden" },
];

/** The person; of actions without one, the program or a visitor. */
export function whoOf({ adminId, adminName, ip }: AuditRow, t: Translate): string {
  if (adminId === null) return t(ip === "" ? "logs.program" : "logs.visitor");
  return adminName || `#${adminId}`;
}

/** The name or the number of the record. */
export function targetOf({ targetName, targetId }: AuditRow): string {
  return targetName ?? (targetId === null ? EMPTY : `#${targetId}`);
}

/** The first change, and how many more there are. */
function summary({ module, diff }: AuditRow, t: Translate) {
  const [first, ...rest] = diff;
  if (!first) return EMPTY;
  const { title, before, after } = wordsOf(first, fieldsOf(module), t, titlesOf(module));
  const more = rest.length > 0 ? ` ${t("logs.more", { count: rest.length })}` : "";
  // The values of secrets, and of fields that were only seen, are the same and are not shown.
  const values = before === after ? "" : `: ${before} → ${after}`;
  return `${title}${values}${more}`;
}
