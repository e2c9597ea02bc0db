/** One entry of the audit trail, whole. */
import type { AuditRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Changes, type FieldTitles } from "../../../ui/changes";
import { Dialog } from "../../../ui/dialog";
import { type Field, showField } from "../../../ui/field";
import type { Overlay } from "../../../ui/overlay";

interface AuditEntryProps {
  overlay: Overlay;
  row: AuditRow;
  fields: readonly Field<AuditRow>[];
  /** The fields of what was changed. */
  changed: readonly Field<never>[];
  titles: FieldTitles;
}

export function AuditEntryDrawer({ overlay, row, fields, changed, titles }: AuditEntryProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("logs.entry")} shape="drawer">
      <div className="ll-dialog-body">
        <dl className="ll-details">
          {fields
            .filter(({ detail }) => detail !== false)
            .map((field) => (
              <div key={field.key}>
                <dt>{t(field.title)}</dt>
                <dd>{showField(field, row, t)}</dd>
              </div>
            ))}
        </dl>
        <h3 className="ll-details-title">{t("logs.diff")}</h3>
        <div className="ll-timeline">
          <Changes diff={row.diff} fields={changed} titles={titles} />
        </div>
      </div>
    </Dialog>
  );
}
