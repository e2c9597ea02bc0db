/**
 * Imports a table: a file is chosen or dropped, tried without writing anything, shown with its
 * outcome, and then imported. A lazy chunk.
 */
import { type DragEvent, useEffect, useId, useRef, useState } from "react";

import { ApiError } from "../lib/api";
import type { ImportReport, WrongCell } from "../lib/api-types";
import { bytes, count } from "../lib/format";
import { useT } from "../lib/i18n";
import { uploadLimits } from "../lib/limits";
import { notify } from "../lib/toast";
import { download } from "../lib/save-file";
import { isOfType, send, TABLES } from "../lib/upload";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Icon } from "./icon";
import type { Overlay } from "./overlay";
import "./import-dialog.css";

interface ImportDialogProps {
  /** Closes with the last report when something was written. */
  overlay: Overlay<ImportReport>;
  title: string;
  /** Says what the columns are. */
  hint: string;
  /** Paths of the calls: the import, and the empty table to fill in. */
  path: string;
  template: string;
  /** Rows that a table may have. */
  rows?: number;
}

export function ImportDialog({ overlay, title, hint, path, template, rows = 50_000 }: ImportDialogProps) {
  const t = useT();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [refusal, setRefusal] = useState("");
  const [doing, setDoing] = useState<"trying" | "taking" | null>(null);
  const [part, setPart] = useState(0);
  const [over, setOver] = useState(false);
  /** Whether the user has agreed that the unused columns are left out. */
  const [accepted, setAccepted] = useState(false);
  const going = useRef<AbortController>(null);
  useEffect(() => () => going.current?.abort(), []);

  const run = async (chosen: File, dryRun: boolean) => {
    going.current?.abort();
    const controller = new AbortController();
    going.current = controller;
    setDoing(dryRun ? "trying" : "taking");
    setPart(0);
    setRefusal("");
    try {
      setReport(
        await send<ImportReport>(path, { dryRun: String(dryRun), acceptUnused: String(accepted) }, chosen, {
          signal: controller.signal,
          tell: setPart,
        }),
      );
    } catch (error) {
      if (controller.signal.aborted) return;
      setRefusal(error instanceof ApiError ? error.desc : t("ui.failed"));
    } finally {
      if (going.current === controller) setDoing(null);
    }
  };

  const choose = (chosen: File | undefined) => {
    if (!chosen || doing === "taking") return;
    setFile(chosen);
    setReport(null);
    setAccepted(false);
    if (!isOfType(chosen.name, TABLES)) return setRefusal(t("ui.import.wrongType"));
    if (chosen.size > uploadLimits.maxFile) return setRefusal(t("ui.upload.tooLarge"));
    void run(chosen, true);
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };

  const taken = report !== null && !report.dryRun;
  /** Closes with the report if rows were written, so that the list is reloaded. */
  const leave = () => overlay.close(taken ? report : undefined);
  const getTemplate = () => {
    download(template).catch((error: unknown) => {
      console.error(error);
      notify("error", t("ui.failed"));
    });
  };

  return (
    <Dialog overlay={overlay} title={title} sticky={doing !== null} onDismiss={() => doing !== "taking" && leave()}>
      <div className="ll-dialog-body">
        {refusal && (
          <p className="ll-alert ll-alert-error" role="alert">
            <Icon name="warning" />
            {refusal}
          </p>
        )}
        {!taken && (
          <>
            <p className="ll-import-hint">
              {hint}{" "}
              <Button small look="text" icon="download" onClick={getTemplate}>
                {t("ui.import.template")}
              </Button>
            </p>
            <label
              className={over ? "ll-upload-zone is-over" : "ll-upload-zone"}
              onDragOver={(event) => {
                event.preventDefault();
                setOver(true);
              }}
              onDragLeave={() => setOver(false)}
              onDrop={onDrop}
            >
              <input
                type="file"
                className="sr-only"
                accept={TABLES}
                disabled={doing === "taking"}
                aria-describedby={`${id}-hint`}
                onChange={({ target }) => {
                  choose(target.files?.[0]);
                  // The same file can be chosen again, corrected.
                  target.value = "";
                }}
              />
              <Icon name="upload" />
              <span>{file ? `${file.name} (${bytes(file.size)})` : t("ui.import.choose")}</span>
              <span className="ll-hint" id={`${id}-hint`}>
                {t("ui.import.hint", { rows: count(rows) })}
              </span>
            </label>
          </>
        )}
        {doing && (
          <div role="status">
            <progress className="ll-progress" aria-label={t("ui.import.progress")} max={1} value={part < 1 ? part : undefined} />
            <p>{t(doing === "trying" ? "ui.import.trying" : "ui.import.taking")}</p>
          </div>
        )}
        {report && !doing && <Outcome report={report} accepted={accepted} onAccept={setAccepted} />}
      </div>
      <footer className="ll-dialog-foot">
        <Button disabled={doing === "taking"} onClick={leave}>
          {t(taken ? "ui.close" : "ui.cancel")}
        </Button>
        {!taken && (
          <Button
            look="primary"
            busy={doing !== null}
            disabled={!file || !report || report.good === 0 || (report.unusedColumns.length > 0 && !accepted)}
            onClick={() => file && void run(file, false)}
          >
            {report ? t("ui.import.take", { count: count(report.good) }) : t("ui.import")}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** The outcome of a table, before or after it was imported. */
function Outcome({ report, accepted, onAccept }: { report: ImportReport; accepted: boolean; onAccept: (accepted: boolean) => void }) {
  const { dryRun, total, good, duplicate, unsearched, sheet, hiddenRows, unusedColumns, wrong, wrongCells, errorFile } = report;
  const t = useT();
  const unused = unusedColumns.join(t("ui.import.comma"));
  const numbers = { total: count(total), good: count(good), duplicate: count(duplicate), wrong: count(wrong) };
  const look = wrong > 0 ? "warning" : "success";
  const listed = new Set(wrongCells.map(({ row }) => row)).size;
  const box = useRef<HTMLDivElement>(null);
  // Under the hints and the file it would be out of sight on a small screen.
  useEffect(() => {
    void box.current?.scrollIntoView({ block: "nearest" });
  }, [report]);
  return (
    <div ref={box} className="ll-import-report">
      <p className={`ll-alert ll-alert-${look} ll-import-outcome`} role="status">
        <Icon name={wrong > 0 ? "warning" : "info"} />
        {t(dryRun ? "ui.import.tried" : "ui.import.taken", numbers)}
        {sheet !== null && ` ${t("ui.import.sheet", { sheet })}`}
        {unsearched && ` ${t("ui.import.unsearched")}`}
      </p>
      {hiddenRows > 0 && (
        <p className="ll-alert ll-alert-warning">
          <Icon name="warning" />
          {t(dryRun ? "ui.import.hidden" : "ui.import.hiddenTaken", { count: count(hiddenRows) })}
        </p>
      )}
      {unused !== "" && (
        <div className="ll-alert ll-alert-warning">
          <Icon name="warning" />
          <div>
            {t(dryRun ? "ui.import.unused" : "ui.import.unusedTaken", { columns: unused })}
            {dryRun && good > 0 && (
              <label className="ll-check ll-import-accept">
                <input type="checkbox" checked={accepted} onChange={({ target }) => onAccept(target.checked)} />
                {t("ui.import.acceptUnused")}
              </label>
            )}
          </div>
        </div>
      )}
      {errorFile && (
        <p>
          <a className="ll-link" href={errorFile.url} download>
            {t("ui.import.errorFile")}
          </a>{" "}
          <span className="ll-quiet">{t("ui.import.errorFileHint")}</span>
        </p>
      )}
      {wrongCells.length > 0 && <WrongCells cells={wrongCells} />}
      {listed > 0 && listed < wrong && <p className="ll-quiet">{t("ui.import.firstErrors", { count: count(wrongCells.length) })}</p>}
    </div>
  );
}

function WrongCells({ cells }: { cells: readonly WrongCell[] }) {
  const t = useT();
  return (
    <div className="ll-table-box" role="group" aria-label={t("ui.import.wrongCells")} tabIndex={0}>
      <table className="ll-table ll-compact ll-import-cells">
        <caption className="sr-only">{t("ui.import.wrongCells")}</caption>
        <thead>
          <tr>
            <th scope="col" className="ll-num">
              {t("ui.import.row")}
            </th>
            <th scope="col">{t("ui.import.column")}</th>
            <th scope="col">{t("ui.import.message")}</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ row, column, message }) => (
            <tr key={`${row} ${column}`}>
              <td className="ll-num">{count(row)}</td>
              <td>{column}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
