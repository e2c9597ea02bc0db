/** A record in full: its fields, and what happened to it. */
import { type ReactNode, useEffect, useState } from "react";

import type { AuditEntry } from "../lib/api-types";
import { api } from "../lib/api";
import { useT } from "../lib/i18n";
import type { FieldTitles } from "./changes";
import { Description, reported, type Reveals } from "./description";
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
  /** What the history tells besides the record's fields. */
  told?: readonly Field<never>[];
  /** More about the record, between its fields and its history. */
  children?: ReactNode;
}

export function DetailDrawer<Row>({ overlay, title, row, fields, record, history, reveals, titles, told = [], children }: DetailDrawerProps<Row>) {
  const t = useT();
  const current = useAnswer<Row>(record) ?? row;
  return (
    <Dialog overlay={overlay} title={title} shape="drawer">
      <div className="ll-dialog-body">
        <Description fields={fields} row={current} reveals={reveals} />
        {children}
        <h3 className="ll-details-title">{t("ui.history")}</h3>
        <AnsweredTimeline path={history} fields={[...(fields as readonly Field<never>[]), ...told]} titles={titles} />
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

/** What a GET answers, or undefined until it does; a failure has been told by the client. */
export function useAnswer<T>(path: string): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    const abort = new AbortController();
    api.get<T>(path, undefined, { signal: abort.signal }).then(setAnswer, (error: unknown) => {
      if (!abort.signal.aborted) reported(error);
    });
    return () => abort.abort();
  }, [path]);
  return answer;
}
