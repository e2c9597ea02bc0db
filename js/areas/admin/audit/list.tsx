/** /admin/audit: who changed what, when, from where. */
import type { AuditRow } from "../../../lib/api-types";
import { actionCodes, moduleCodes } from "../../../lib/codes";
import { EMPTY } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { wordsOf } from "../../../ui/changes";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { fieldsOf, titlesOf } from "./modules";

const fields: readonly Field<AuditRow>[] = [
  { key: "at", title: "logs.at", kind: "time", sort: true },
  { key: "adminName", title: "logs.who" },
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
    show: ({ targetName, targetId }) => targetName ?? (targetId === null ? EMPTY : `#${targetId}`),
  },
  { key: "targetId", title: "logs.targetId", kind: "code", list: "hidden" },
  { key: "diff", title: "logs.diff", show: summary, detail: false },
  { key: "ip", title: "logs.ip", kind: "code" },
  { key: "requestId", title: "logs.request", kind: "code", list: "hidden" },
];

const filters: readonly Filter[] = [
  { name: "keyword", label: "logs.who", kind: "text", placeholder: "admin.keywordHint" },
  { name: "action", label: "logs.action", kind: "select", options: { codes: actionCodes, labels: "Action" } },
  { name: "at", label: "logs.at", kind: "days" },
  { name: "module", label: "logs.module", kind: "select", options: { codes: moduleCodes, labels: "Module" } },
  { name: "targetId", label: "logs.targetId", kind: "text" },
  { name: "requestId", label: "logs.request", kind: "text" },
];

const actionsOfRow: readonly RowAction<AuditRow>[] = [{ label: "logs.view", point: "list", run: view }];

export default function AuditTrail() {
  return (
    <ListPage
      title="logs.auditTitle"
      empty="logs.auditEmpty"
      api="/audit"
      points="admin/audit"
      fields={fields}
      filters={filters}
      actions={actionsOfRow}
    />
  );
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

async function view(row: AuditRow, { open }: List) {
  const { AuditEntryDrawer } = await import("./detail");
  await open((overlay) => (
    <AuditEntryDrawer overlay={overlay} row={row} fields={fields} changed={fieldsOf(row.module)} titles={titlesOf(row.module)} />
  ));
}
