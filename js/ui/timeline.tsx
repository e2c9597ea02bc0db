/** The history of a record, the latest first: who, when, and each change with the values before and after. */
import type { AuditEntry } from "../lib/api-types";
import { time } from "../lib/format";
import { useT } from "../lib/i18n";
import { usePageData } from "../lib/props";
import { Changes, type FieldTitles } from "./changes";
import { type Field, labelOf } from "./field";

interface TimelineProps<Row> {
  fields: readonly Field<Row>[];
  /** Titles of keys that are in the history and not among the record's fields: a secret, an owner's id. */
  titles?: FieldTitles;
}

export function Timeline<Row>({ entries, fields, titles }: TimelineProps<Row> & { entries: readonly AuditEntry[] }) {
  const t = useT();
  if (entries.length === 0) return <p className="ll-quiet">{t("ui.noHistory")}</p>;
  return (
    <ol className="ll-timeline">
      {entries.map(({ id, at, adminName, action, diff }) => {
        const created = action === "create";
        // Of a new record only the fields that have a value.
        const filled = created ? diff.filter(({ after }) => after !== "" && after !== "[]") : diff;
        const changes = <Changes diff={filled} fields={fields} titles={titles} created={created} />;
        return (
          <li key={id}>
            <p>
              <strong>{labelOf(t, "Action", action)}</strong> {adminName}
              <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
            </p>
            {/* They are one line until the reader unfolds them. */}
            {created && filled.length > 1 ? (
              <details>
                <summary>{t("ui.createdWith", { count: filled.length })}</summary>
                {changes}
              </details>
            ) : (
              changes
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** The history of one of the page's loads, so that the server renders it whole. */
export function LoadedTimeline<Row>({ load, ...rest }: TimelineProps<Row> & { load: string }) {
  const { data, desc } = usePageData<AuditEntry[] | null>(load);
  return data ? <Timeline entries={data} {...rest} /> : <p className="ll-quiet">{desc}</p>;
}
