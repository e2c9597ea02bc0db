/** Shows what another person changed while a form was open, and asks which copy to continue with. */
import { useT } from "../lib/i18n";
import { Button } from "./button";
import type { Conflict } from "./conflict";
import { Dialog } from "./dialog";
import { type FormField, readable } from "./form";
import type { Overlay } from "./overlay";
import { Tag } from "./tag";

/** `theirs`: start again from the record as it is now. `mine`: my changes on top of it. */
export type Settlement = "theirs" | "mine";

interface ConflictDialogProps {
  overlay: Overlay<Settlement>;
  fields: readonly FormField[];
  conflicts: readonly Conflict[];
}

export function ConflictDialog({ overlay, fields, conflicts }: ConflictDialogProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("ui.conflictTitle")} sticky>
      <div className="ll-dialog-body">
        <p>{t(conflicts.length > 0 ? "ui.conflictText" : "ui.conflictElsewhere")}</p>
        {conflicts.length > 0 && (
          <div className="ll-table-box" role="group" aria-label={t("ui.conflictTitle")} tabIndex={0}>
            <table className="ll-table ll-compact">
              <thead>
                <tr>
                  <th scope="col">{t("ui.conflictField")}</th>
                  <th scope="col">{t("ui.conflictBase")}</th>
                  <th scope="col">{t("ui.conflictTheirs")}</th>
                  <th scope="col">{t("ui.conflictMine")}</th>
                </tr>
              </thead>
              <tbody>
                {conflicts.map(({ name, base, theirs, mine, clash }) => {
                  const field = fields.find((field) => field.name === name);
                  return field ? (
                    <tr key={name}>
                      <th scope="row">{t(field.label)}</th>
                      <td>{readable(field, base, t)}</td>
                      <td>{readable(field, theirs, t)}</td>
                      <td>
                        {readable(field, mine, t)} {clash && <Tag color="orange">{t("ui.conflictClash")}</Tag>}
                      </td>
                    </tr>
                  ) : null;
                })}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close("theirs")}>{t("ui.takeTheirs")}</Button>
        <Button look="primary" onClick={() => overlay.close("mine")}>
          {t("ui.keepEditing")}
        </Button>
      </footer>
    </Dialog>
  );
}
