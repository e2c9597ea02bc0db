/**
 * Reads the rows of lists in a document's props: they come as columns, with the names of their fields once (crates/site/src/pages/columns.rs).
 * Answers of the API have whole rows.
 */
import type { Envelope } from "./types";

interface Columns {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

type Data = Readonly<Record<string, Envelope<unknown>>>;

/** The answers of a page's loads with whole rows. */
export function unpacked(data: Data): Record<string, Envelope<unknown>> {
  const whole: Record<string, Envelope<unknown>> = {};
  for (const name in data) {
    const envelope = data[name]!;
    whole[name] = { ...envelope, data: rowsIn(envelope.data) };
  }
  return whole;
}

/** A list, or the list in a page of one. */
function rowsIn(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if (isColumns(data)) return rowsOf(data);
  if (!("list" in data) || !isColumns(data.list)) return data;
  return { ...data, list: rowsOf(data.list) };
}

function isColumns(value: unknown): value is Columns {
  return typeof value === "object" && value !== null && "columns" in value && "rows" in value;
}

function rowsOf({ columns, rows }: Columns): unknown[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
    return row;
  });
}
