/**
 * Exports a list as it is filtered and ordered: asks for format and columns, and some viewers for whole numbers with a
 * reason; then shows the task's progress until the file is there. The task goes on when the dialog is closed.
 */
import { type RefObject, useEffect, useId, useRef, useState } from "react";

import { ApiError, api } from "../lib/api";
import type { ExportRow, ExportTask } from "../lib/api-types";
import { count } from "../lib/format";
import { useT } from "../lib/i18n";
import { plainExportLimits } from "../lib/limits";
import { readListQuery } from "../lib/list-query";
import { notify } from "../lib/toast";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { follow, isUnderWay, save } from "./export";
import { Icon } from "./icon";
import type { Overlay } from "./overlay";
import "./export-dialog.css";

interface ExportDialogProps {
  overlay: Overlay;
  /** The list's export call. */
  path: string;
  /** The query of the list's address: its filters and its order. */
  search: string;
  total: number;
  /** Keys of all columns, and of those that the list shows. */
  all: readonly string[];
  shown: readonly string[];
  /** The viewer may have whole names and numbers in the file. */
  mayPlain?: boolean;
}

export function ExportDialog({ overlay, path, search, total, all, shown, mayPlain = false }: ExportDialogProps) {
  const t = useT();
  const [format, setFormat] = useState<"xlsx" | "csv">("xlsx");
  const [columns, setColumns] = useState<"shown" | "all">("shown");
  const [numbers, setNumbers] = useState<"masked" | "whole">("masked");
  const [reason, setReason] = useState("");
  const [isReasonWrong, setReasonWrong] = useState(false);
  const reasonInput = useRef<HTMLTextAreaElement>(null);
  const [isRunning, setRunning] = useState(false);
  const [task, setTask] = useState<Pick<ExportRow, "id" | "status" | "rowCount" | "totalRows" | "reason"> | null>(null);
  const watching = useRef<AbortController>(null);
  useEffect(() => () => watching.current?.abort(), []);

  const start = async () => {
    const plain = numbers === "whole" ? { plain: true, reason: reason.trim() } : {};
    if (plain.reason !== undefined && !isReason(plain.reason)) {
      setReasonWrong(true);
      reasonInput.current?.focus();
      return;
    }
    const controller = new AbortController();
    watching.current = controller;
    setRunning(true);
    const { filters, sort, order } = readListQuery(search);
    const body = { ...filters, ...(sort ? { sort, order } : {}), format, columns: columns === "all" ? all : shown, ...plain };
    try {
      const { taskId } = await api.post<ExportTask>(path, body, { signal: controller.signal });
      setTask({ id: taskId, status: "queued", rowCount: 0, totalRows: null, reason: null });
      const ended = await follow(taskId, setTask, controller.signal);
      if (ended.url === null) return;
      save(ended.url);
      notify("success", t("ui.exported"));
      overlay.close();
    } catch (error) {
      if (controller.signal.aborted) return;
      setTask(null);
      if (error instanceof ApiError) return;
      console.error(error);
      notify("error", t("ui.exportBroke"));
    } finally {
      setRunning(false);
    }
  };

  const stop = async () => {
    watching.current?.abort();
    overlay.close();
    if (!task) return;
    await api.del(`/export/${task.id}`);
    notify("info", t("ui.exportStopped"));
  };

  /** The task goes on without the dialog. */
  const leave = () => {
    watching.current?.abort();
    overlay.close();
    if (task && isUnderWay(task)) notify("info", t("ui.exportGoesOn"));
  };

  const failed = task !== null && !isUnderWay(task) && task.status !== "success";
  return (
    <Dialog overlay={overlay} title={t("ui.exportTitle")} shape="small" sticky={task !== null || numbers === "whole"} onDismiss={leave}>
      <div className="ll-dialog-body">
        {failed ? (
          <p className="ll-alert ll-alert-error" role="alert">
            <Icon name="warning" />
            {task.reason ?? t("ui.exportStopped")}
          </p>
        ) : task ? (
          <Progress task={task} expected={total} where={t(numbers === "whole" ? "ui.exportWhereWhole" : "ui.exportWhere")} />
        ) : (
          <>
            <p>{t("ui.exportText", { count: count(total) })}</p>
            <Radios
              label={t("ui.exportFormat")}
              options={{ xlsx: t("ui.exportXlsx"), csv: t("ui.exportCsv") }}
              value={format}
              onChange={setFormat}
            />
            <Radios
              label={t("ui.exportColumns")}
              options={{ shown: t("ui.exportShown"), all: t("ui.exportAll") }}
              value={columns}
              onChange={setColumns}
            />
            {mayPlain && (
              <Radios
                label={t("ui.exportNumbers")}
                options={{ masked: t("ui.exportMasked"), whole: t("ui.exportWhole") }}
                value={numbers}
                onChange={setNumbers}
              />
            )}
            {numbers === "whole" && (
              <Reason
                input={reasonInput}
                value={reason}
                isWrong={isReasonWrong}
                onChange={(text) => {
                  setReason(text);
                  if (isReason(text.trim())) setReasonWrong(false);
                }}
              />
            )}
          </>
        )}
      </div>
      <footer className="ll-dialog-foot">
        {failed ? (
          <Button onClick={() => overlay.close()}>{t("ui.close")}</Button>
        ) : task ? (
          <>
            <Button onClick={() => void stop()}>{t("ui.exportCancel")}</Button>
            <Button look="primary" onClick={leave}>
              {t("ui.exportLeave")}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
            <Button look="primary" icon="download" busy={isRunning} onClick={() => void start()}>
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

function isReason(text: string): boolean {
  const length = [...text].length;
  return length >= plainExportLimits.leastReason && length <= plainExportLimits.mostReason;
}

interface ReasonProps {
  input: RefObject<HTMLTextAreaElement | null>;
  value: string;
  isWrong: boolean;
  onChange: (text: string) => void;
}

/** The input of the reason for whole numbers, which the audit trail keeps. */
function Reason({ input, value, isWrong, onChange }: ReasonProps) {
  const t = useT();
  const id = useId();
  return (
    <div className={isWrong ? "ll-field ll-field-wrong" : "ll-field"}>
      <label className="ll-label" htmlFor={id}>
        {t("ui.exportReason")}
        <i aria-hidden="true" className="ll-required">
          *
        </i>
      </label>
      <textarea
        id={id}
        ref={input}
        className="ll-input"
        rows={2}
        value={value}
        aria-required
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error ${id}-hint` : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="ll-hint" id={`${id}-hint`}>
        {t("ui.exportReasonHint")}
      </p>
      {isWrong && (
        <p className="ll-error" id={`${id}-error`} role="alert">
          {t("ui.exportReasonWrong", { least: plainExportLimits.leastReason, most: plainExportLimits.mostReason })}
        </p>
      )}
    </div>
  );
}

interface ProgressProps {
  task: Pick<ExportRow, "status" | "rowCount" | "totalRows">;
  /** The list's number of rows, shown until the task has counted them. */
  expected: number;
  /** A text that says where the file will be, and for how long. */
  where: string;
}

function Progress({ task: { status, rowCount, totalRows }, expected, where }: ProgressProps) {
  const t = useT();
  const total = totalRows ?? expected;
  return (
    <div role="status">
      <progress
        className="ll-progress"
        aria-label={t("ui.exporting")}
        max={total || 1}
        value={status === "queued" ? undefined : rowCount}
      />
      <p>{status === "queued" ? t("ui.exportQueued") : t("ui.exportRows", { rows: count(rowCount), total: count(total) })}</p>
      <p className="ll-quiet">{where}</p>
    </div>
  );
}
