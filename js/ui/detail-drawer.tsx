/** A record in full: its fields and its history. */
import type { ReactNode } from "react";

import type { AuditEntry } from "../lib/api-types";
import { useT } from "../lib/i18n";
import { useAnswer } from "./answer";
import type { FieldTitles } from "./changes";
import { Description, type Reveals } from "./description";
import { Dialog } from "./dialog";
import type { Field } from "./field";
import type { Overlay } from "./overlay";
import { Timeline } from "./timeline";

interface DetailDrawerProps<Row> {
  overlay: Overlay;
  title: string;
  /** The row of the list; shown until the record itself is loaded. */
  row: Row;
  fields: readonly Field<Row>[];
  /** Paths of the calls: the record, and its audit trail. */
  record: string;
  history: string;
  reveals?: Reveals<Row>;
  /** Titles of keys that are in the history and not among the record's fields: a secret, an owner's id. */
  titles?: FieldTitles;
  /** Fields of the history besides those of the record. */
  historyFields?: readonly Field<never>[];
  /** More about the record, between its fields and its history. */
  children?: ReactNode;
}

export function DetailDrawer<Row>({
  overlay,
  title,
  row,
  fields,
  record,
  history,
  reveals,
  titles,
  historyFields = [],
  children,
}: DetailDrawerProps<Row>) {
  const t = useT();
  const current = useAnswer<Row>(record) ?? row;
  return (
    <Dialog overlay={overlay} title={title} shape="drawer">
      <div className="ll-dialog-body">
        <Description fields={fields} row={current} reveals={reveals} />
        {children}
        <h3 className="ll-details-title">{t("ui.history")}</h3>
        <AnsweredTimeline path={history} fields={[...(fields as readonly Field<never>[]), ...historyFields]} titles={titles} />
      </div>
    </Dialog>
  );
}

/** The history, from a call. */
export function AnsweredTimeline<Row>({ path, fields, titles }: Pick<DetailDrawerProps<Row>, "fields" | "titles"> & { path: string }) {
  const t = useT();
  const entries = useAnswer<AuditEntry[]>(path);
  return entries ? <Timeline entries={entries} fields={fields} titles={titles} /> : <p className="ll-quiet">{t("ui.loading")}</p>;
}
