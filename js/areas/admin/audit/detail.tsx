/** /admin/audit/:id: one entry of the trail: who did what and when, each change from what to what, and the record. */
import type { AuditRow } from "../../../lib/api-types";
import { EMPTY, time } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { buttonClass } from "../../../ui/button";
import { wordsOf } from "../../../ui/changes";
import { DetailPage } from "../../../ui/detail-page";
import { labelOf } from "../../../ui/field";
import { auditFields, targetOf, whoOf } from "./fields";
import { fieldsOf, titlesOf } from "./modules";

export default function AuditEntry() {
  return (
    <DetailPage<AuditRow>
      load="entry"
      list={{ href: "/admin/audit", title: "logs.auditTitle" }}
      points="admin/audit"
      title={(row, t) => [labelOf(t, "Module", row.module), targetOf(row)].filter((text) => text !== EMPTY).join(" ")}
      status="action"
      sentence={(row, t) => (
        <p className="mb-4">
          {t("logs.sentence", {
            who: whoOf(row, t),
            at: time(row.at),
            action: labelOf(t, "Action", row.action),
            module: labelOf(t, "Module", row.module),
          })}
        </p>
      )}
      facts={["targetName", "targetId", "adminName", "username", "role", "ip", "requestId"]}
      fields={auditFields}
      tabs={[{ name: "changes", label: "logs.diff", show: (row) => <Entry row={row} /> }]}
    />
  );
}

/** Each change, and the lists of what else happened. */
function Entry({ row }: { row: AuditRow }) {
  const t = useT();
  return (
    <>
      {row.diff.length === 0 ? <p className="ll-quiet">{t("logs.noDiff")}</p> : <ChangeTable row={row} />}
      <div className="ll-toolbar mt-4">
        {row.targetId !== null && (
          <a className={buttonClass()} href={`/admin/audit?targetType=${row.targetType}&targetId=${row.targetId}`}>
            {t("logs.ofTarget")}
          </a>
        )}
        {row.requestId !== "" && (
          <a className={buttonClass()} href={`/admin/audit?requestId=${encodeURIComponent(row.requestId)}`}>
            {t("logs.ofRequest")}
          </a>
        )}
      </div>
    </>
  );
}

function ChangeTable({ row: { module, diff } }: { row: AuditRow }) {
  const t = useT();
  const [fields, titles] = [fieldsOf(module), titlesOf(module)];
  return (
    <div className="ll-table-box" role="group" aria-label={t("logs.diff")} tabIndex={0}>
      <table className="ll-table ll-compact">
        <thead>
          <tr>
            <th scope="col">{t("logs.field")}</th>
            <th scope="col">{t("logs.before")}</th>
            <th scope="col">{t("logs.after")}</th>
          </tr>
        </thead>
        <tbody>
          {diff.map((change) => {
            const { title, before, after } = wordsOf(change, fields, t, titles);
            // The values of secrets, and of fields that were only seen, are the same and are not shown.
            const shows = before !== after;
            return (
              <tr key={change.field}>
                <th scope="row">{title}</th>
                <td>{shows && before}</td>
                <td>{shows && after}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
