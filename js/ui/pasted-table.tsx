/** The part of a form that takes a table: the pasted text, the fault of each row, and the button that fills in the form. */
import { useState } from "react";

import { type Translate, useT } from "../lib/i18n";
import { Button, buttonClass, keepFocusForButtons } from "./button";
import type { FormField } from "./form";
import type { FormParts } from "./form-dialog";
import { parsed, Wrong } from "./form-rules";
import { Icon } from "./icon";
import { type ReadTable, textOf } from "./table-text";

/** The name of the field that holds the text. */
export const TABLE = "table";

export const tableField: FormField = { name: TABLE, label: "ui.table", kind: "lines", wide: true };

/** The rule of the field: a table that was not filled in is not sent with the form as if it had been. */
export const tableRule = (t: Translate) => parsed((text) => (text === "" ? text : new Wrong(t("ui.table.left"))));

interface PastedTableProps<Row> {
  parts: FormParts;
  /** The titles of the columns. */
  columns: readonly string[];
  read: (text: string) => ReadTable<Row>;
  /** Fills in the form by one row. */
  take: (row: Row) => void;
  /** How many records the form has. */
  total: number;
}

export function PastedTable<Row>({ parts: { control, inputs, fill }, columns, read, take, total }: PastedTableProps<Row>) {
  const t = useT();
  const [isRefused, setRefused] = useState(false);
  const [filled, setFilled] = useState<number>();
  const { rows, faults } = read(String(inputs[TABLE] ?? ""));

  const takeAll = () => {
    for (const row of rows) take(row);
    fill(TABLE, "");
    setFilled(rows.length);
  };
  const choose = async (file: File) => {
    const text = await textOf(file);
    setRefused(text === null);
    if (text !== null) fill(TABLE, text);
  };

  return (
    <div className="mb-4 grid gap-2" onMouseDown={keepFocusForButtons}>
      {control(TABLE)}
      <p className="ll-hint">{t("ui.table.hint", { columns: columns.join(t("ui.comma")) })}</p>
      <div className="flex flex-wrap items-center gap-2">
        <label className={buttonClass("text")}>
          <Icon name="upload" />
          {t("ui.table.file")}
          <input
            type="file"
            accept=".csv,.txt"
            className="sr-only"
            onChange={({ target }) => {
              const file = target.files?.[0];
              // The same file can be chosen again, corrected.
              target.value = "";
              if (file) void choose(file);
            }}
          />
        </label>
        {rows.length > 0 && faults.length === 0 && (
          <Button icon="check" onClick={takeAll}>
            {t("ui.table.take", { count: rows.length })}
          </Button>
        )}
      </div>
      <div role="status">
        {isRefused && <p className="ll-error">{t("ui.table.noText")}</p>}
        {faults.length > 0 && (
          <>
            <p className="ll-error">{t("ui.table.wrong", { count: faults.length })}</p>
            <ul className="ll-error">
              {faults.map(({ row, text }) => (
                <li key={row}>{t("ui.table.row", { row, text })}</li>
              ))}
            </ul>
          </>
        )}
        {filled !== undefined && rows.length === 0 && faults.length === 0 && (
          <p className="ll-alert ll-alert-success">{t("ui.table.filled", { count: filled, others: total - filled })}</p>
        )}
      </div>
    </div>
  );
}
