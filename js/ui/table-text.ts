/** A table as text, pasted or from a CSV file, read row by row. */
import { halfWidth, visible } from "../lib/canonical";
import type { Translate } from "../lib/i18n";
import { Wrong } from "./form-rules";

/** The most rows of a table. */
export const MOST_ROWS = 200;
/** The most bytes of a file. */
const MOST_BYTES = 1_000_000;

/** Why a row cannot be used; `row` counts from 1, as spreadsheets do. */
export interface TableFault {
  row: number;
  text: string;
}

export interface ReadTable<Row> {
  /** Complete only if there is no fault. */
  rows: readonly Row[];
  faults: readonly TableFault[];
}

/** Reads the rows of a table of so many columns: `read` makes one of its cells, or says what is wrong. Cells at the end may be missing. */
export function readTable<Row extends object>(
  t: Translate,
  text: string,
  columns: number,
  read: (cells: readonly string[]) => Row | Wrong,
): ReadTable<Row> {
  const { rows: written, isOpen } = cellsOf(text);
  const first = written.findIndex((cells) => cells.length > 0);
  const rows: Row[] = [];
  const faults: TableFault[] = [];
  for (const [i, cells] of written.entries()) {
    if (cells.length === 0 || (i === first && isHeading(cells))) continue;
    const fault = (wrong: string) => faults.push({ row: i + 1, text: wrong });
    if (rows.length + faults.length === MOST_ROWS) {
      fault(t("ui.rule.tooMany", { max: MOST_ROWS }));
      break;
    }
    if (isOpen && i === written.length - 1) fault(t("ui.table.quote"));
    else if (cells.length > columns) fault(t("ui.table.columns", { count: columns }));
    else {
      const row = read(cells);
      if (row instanceof Wrong) fault(row.message);
      else rows.push(row);
    }
  }
  return { rows, faults };
}

/** What may be wrong with a row. */
export const tableFaults = (t: Translate) => ({
  missing: (column: string) => new Wrong(`${column}: ${t("ui.rule.required")}`),
  unknown: (no: string) => new Wrong(t("ui.table.unknown", { no })),
  twice: (no: string) => new Wrong(t("ui.table.twice", { no })),
  noChoice: (value: string, known: readonly string[]) => new Wrong(t("ui.table.noChoice", { value, known: known.join(t("ui.comma")) })),
  tooLong: (max: number, length: number) => new Wrong(t("ui.rule.tooLong", { max, length })),
});

/** Every number has a digit, and no title of a column has one. */
const isHeading = ([no = ""]: readonly string[]) => no !== "" && !/\d/.test(halfWidth(no));

/**
 * The cells of each row, without the empty ones at its end: separated by tabs if the first row has one, by commas if not. A cell in
 * quotation marks may hold both, and line breaks, which become blanks. `isOpen`: the last of them has no end.
 */
export function cellsOf(text: string): { rows: string[][]; isOpen: boolean } {
  const separator = /^[^\n]*\t/.test(text.trim()) ? "\t" : ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isOpen = false;
  const endCell = () => {
    row.push(visible(cell.replace(/\s+/g, " ")));
    cell = "";
  };
  const endRow = () => {
    endCell();
    while (row.at(-1) === "") row.pop();
    rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]!;
    if (isOpen) {
      if (letter !== '"') cell += letter;
      else if (text[i + 1] === '"') {
        cell += letter;
        i += 1;
      } else isOpen = false;
    } else if (letter === '"' && visible(cell) === "") isOpen = true;
    else if (letter === separator) endCell();
    else if (letter === "\n") endRow();
    else cell += letter;
  }
  endRow();
  return { rows, isOpen };
}

/** The text of a CSV file: UTF-8, or GB 18030 as Chinese spreadsheets write it; null if it is too large or no text. */
export async function textOf(file: File): Promise<string | null> {
  if (file.size > MOST_BYTES) return null;
  const bytes = await file.arrayBuffer();
  const decoded = decode(bytes, "utf-8") ?? decode(bytes, "gb18030");
  return decoded === null || decoded.includes("\0") ? null : decoded;
}

function decode(bytes: ArrayBuffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
