/** What a change changed: the fields under their names, each from what to what. */
import type { Change } from "../lib/api-types";
import { EMPTY } from "../lib/format";
import { type MessageKey, type Translate, useT } from "../lib/i18n";
import { type Field, fieldText } from "./field";

interface Words {
  title: string;
  before: string;
  after: string;
}

/** Titles of keys that are in the trail and not among a record's fields: a secret, an owner's id. */
export type FieldTitles = Readonly<Record<string, MessageKey>>;

interface ChangesProps<Row> {
  diff: readonly Change[];
  fields: readonly Field<Row>[];
  titles?: FieldTitles;
  /** The fields are those of a new record, which had no values before. */
  created?: boolean;
}

export function Changes<Row>({ diff, fields, titles, created = false }: ChangesProps<Row>) {
  const t = useT();
  if (diff.length === 0) return null;
  return (
    <ul>
      {diff.map((change) => {
        const { title, before, after } = wordsOf(change, fields, t, titles);
        return (
          <li key={change.field}>
            {title}
            {/* The value of a secret, or of a field that was only seen, is not shown. */}
            {before !== after && (
              <>
                {": "}
                {!(created && before === EMPTY) && (
                  <>
                    <del>{before}</del> →{" "}
                  </>
                )}
                <ins>{after}</ins>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The trail's prefix of a field whose change was requested and is not decided yet. */
const REQUESTED = "asked.";

/** Fields of the end of any proposal in the trail. For delivery settings their keys begin with `api.`. */
const proposalFields: readonly Field<{ proposalDecision: string; reviewNote: string }>[] = [
  { key: "proposalDecision", title: "proposal.decision", kind: "enum", labels: "proposal.ended" },
  { key: "reviewNote", title: "proposal.note" },
];

/** A change as people read it. */
export function wordsOf<Row>(
  { field: key, before, after }: Change,
  fields: readonly Field<Row>[],
  t: Translate,
  titles?: FieldTitles,
): Words {
  if (key.startsWith(REQUESTED)) {
    const words = wordsOf({ field: key.slice(REQUESTED.length), before, after }, fields, t, titles);
    return { ...words, title: t("ui.askedFor", { name: words.title }) };
  }
  const titleOf = (name: string) => {
    const named = fields.find((field) => field.key === name)?.title ?? titles?.[name];
    return named ? t(named) : name;
  };
  // For an export: the columns of the file, and below the order of its rows.
  if (key === "columns" && after !== null) {
    return {
      title: titleOf(key),
      before: EMPTY,
      after: after
        .replaceAll(/[[\]" ]/g, "")
        .split(",")
        .map(titleOf)
        .join(t("ui.comma")),
    };
  }
  const order = key === "sort" && /^(\w+) (asc|desc)$/.exec(after ?? "");
  if (order) return { title: titleOf(key), before: EMPTY, after: `${titleOf(order[1]!)} ${order[2] === "asc" ? "↑" : "↓"}` };
  const own = fields.find((field) => field.key === key);
  const field = own ?? (titles?.[key] ? undefined : proposalFields.find((field) => field.key === key.replace(/^api\./, "")));
  const title = field?.heading ?? field?.title ?? titles?.[key];
  return { title: title ? t(title) : key, before: fieldText(field ?? {}, before, t), after: fieldText(field ?? {}, after, t) };
}
