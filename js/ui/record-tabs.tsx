/** The two tabs of a record's page without special ones: its fields and its history. */
import type { FieldTitles } from "./changes";
import { Description } from "./description";
import type { DetailTab } from "./detail-page";
import type { Field } from "./field";
import { LoadedTimeline } from "./timeline";

/** `titles` has the titles of keys that are in the history and not among the fields. The history is the load `history` of the route. */
export function recordTabs<Row>(fields: readonly Field<Row>[], titles?: FieldTitles): readonly DetailTab<Row>[] {
  return [
    { name: "details", label: "ui.details", show: (row) => <Description wide fields={fields} row={row} /> },
    { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={fields} titles={titles} /> },
  ];
}
