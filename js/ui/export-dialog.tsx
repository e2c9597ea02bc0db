/**
 * Exports a list as it is filtered and ordered: format and columns, progress while
 * the file streams in, cancel, then save.
 */
import { useEffect, useRef, useState } from "react";

import { ApiError, api } from "../lib/api";
import { count } from "../lib/format";
import { useT } from "../lib/i18n";
import { readListQuery } from "../lib/list-query";
import { notify } from "../lib/toast";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { exportName, receive, type Received } from "./export";
import type { Overlay } from "./overlay";

interface ExportDialogProps {
  overlay: Overlay;
  /** The call that streams the file. */
  path: string;
  /** The list's address query: its filters and its order. */
  search: string;
  total: number;
  /** Keys of all columns, and of those that the list shows. */
  all: readonly string[];
  shown: readonly string[];
}

export function ExportDialog({ overlay, path, search, total, all, shown }: ExportDialogProps) {
  const t = useT();
  const [format, setFormat] = useState<"xlsx" | "csv">("xlsx");
  const [columns, setColumns] = useState<"shown" | "all">("shown");
  const [received, setReceived] = useState<Received | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setReceived({ bytes: 0, rows: null, totalRows: total });
    const { filters, sort, order } = readListQuery(search);
    const body = { ...filters, ...(sort ? { sort, order } : {}), format, columns: columns === "all" ? all : shown };
    try {
      const response = await api.file(path, body, { signal: controller.signal });
      save(await receive(response, format, setReceived), exportName(response, path, format));
      notify("success", t("ui.exported"));
      overlay.close();
    } catch (error) {
      setReceived(null);
      if (controller.signal.aborted || error instanceof ApiError) return;
      console.error(error);
      notify("error", t("ui.exportBroke"));
    }
  };

  return (
    <Dialog overlay={overlay} title={t("ui.exportTitle")} shape="small" sticky={received !== null}>
      <div className="ll-dialog-body">
        {received ? (
          <Progress received={received} />
        ) : (
          <>
            <p>{t("ui.exportText", { count: count(total) })}</p>
            <Radios label={t("ui.exportFormat")} options={{ xlsx: t("ui.exportXlsx"), csv: t("ui.exportCsv") }} value={format} onChange={setFormat} />
            <Radios label={t("ui.exportColumns")} options={{ shown: t("ui.exportShown"), all: t("ui.exportAll") }} value={columns} onChange={setColumns} />
          </>
        )}
      </div>
      <footer className="ll-dialog-foot">
        {received ? (
          <Button onClick={() => abort.current?.abort()}>{t("ui.exportCancel")}</Button>
        ) : (
          <>
            <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
            <Button look="primary" icon="download" onClick={start}>
              {t("ui.export")}
            </Button>
          </>
        )}
      </footer>
    </Dialog>
  );
}

interface RadiosProps<Value extends string> {
  label: string;
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

function Radios<Value extends string>({ label, options, value, onChange }: RadiosProps<Value>) {
  return (
    <fieldset className="ll-radios">
      <legend>{label}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option} className="ll-check">
          <input type="radio" checked={option === value} onChange={() => onChange(option)} />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}

/** A bar where rows can be counted (a text file), else how much has come in. */
function Progress({ received: { bytes, rows, totalRows } }: { received: Received }) {
  const t = useT();
  const kilobytes = count(Math.round(bytes / 1024));
  return (
    <div role="status">
      <progress className="ll-progress" aria-label={t("ui.exporting")} max={totalRows || 1} value={rows ?? undefined} />
      <p>
        {rows === null
          ? t("ui.exportBytes", { kilobytes })
          : t("ui.exportRows", { rows: count(rows), total: count(totalRows), kilobytes })}
      </p>
    </div>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to have taken it before the address goes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
