/** What happened to a record, the latest first: who, when, and what changed from what to what. */
import type { AuditEntry } from "../lib/api-types";
import { time } from "../lib/format";
import { useT } from "../lib/i18n";
import { usePageData } from "../lib/props";
import { Changes, type FieldTitles } from "./changes";
import { type Field, labelOf } from "./field";

interface TimelineProps<Row> {
  fields: readonly Field<Row>[];
  /** Names of what the history says and the record does not show: a secret, an owner's id. */
  titles?: FieldTitles;
}

export function Timeline<Row>({ entries, fields, titles }: TimelineProps<Row> & { entries: readonly AuditEntry[] }) {
  const t = useT();
  if (entries.length === 0) return <p className="ll-quiet">{t("ui.noHistory")}</p>;
  return (
    <ol className="ll-timeline">
      {entries.map(({ id, at, adminName, action, diff }) => (
        <li key={id}>
          <p>
            <strong>{labelOf(t, "Action", action)}</strong> {adminName}
            <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
          </p>
          <Changes diff={diff} fields={fields} titles={titles} />
        </li>
      ))}
    </ol>
  );
}

/** The history that one of the page's loads brought, so that it is complete on the server. */
export function LoadedTimeline<Row>({ load, ...rest }: TimelineProps<Row> & { load: string }) {
  const { data, desc } = usePageData<AuditEntry[] | null>(load);
  return data ? <Timeline entries={data} {...rest} /> : <p className="ll-quiet">{desc}</p>;
}
