/** The dialog that imports a day's statement: its channel, the names of its columns, and the file. A lazy chunk. */
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import * as z from "zod/mini";

import type { PaymentStatementRow, SelectOption, StatementColumns } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { isDay } from "../../../lib/days";
import { bytes, count, today } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { paymentStatementLimits, uploadLimits } from "../../../lib/limits";
import { isOfType, send, TABLES } from "../../../lib/upload";
import { Button, keepFocus } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Form } from "../../../ui/form";
import { FormControl } from "../../../ui/form-controls";
import { parsed, rules, Wrong } from "../../../ui/form-rules";
import { useFormState } from "../../../ui/form-state";
import { Icon } from "../../../ui/icon";
import { useLeaveGuard } from "../../../ui/leave-guard";
import { type Overlay, useOverlay } from "../../../ui/overlay";
import { newPayeeChannel } from "../share";

/** The inputs of column names. */
const COLUMNS = ["numberColumn", "amountColumn", "refundColumn"] as const;

interface StatementDialogProps {
  /** Closes with the statement as it was matched. */
  overlay: Overlay<PaymentStatementRow>;
  channels: readonly SelectOption[];
}

function statementForm(t: Translate, channels: readonly SelectOption[]) {
  const rule = rules(t);
  const schema = z.object({
    payeeChannelId: rule.id(),
    day: parsed((text) => {
      if (text === "") return new Wrong(t("ui.rule.required"));
      if (!isDay(text)) return new Wrong(t("ui.rule.format"));
      return text > today() ? new Wrong(t("paymentStatement.dayToCome")) : text;
    }),
    numberColumn: rule.text(paymentStatementLimits.columnTitle),
    amountColumn: rule.text(paymentStatementLimits.columnTitle),
    refundColumn: rule.note(paymentStatementLimits.columnTitle),
    // The input holds the file's name; the file is kept beside it.
    file: z.string().check(z.minLength(1, t("paymentStatement.fileNeeded"))),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "payeeChannelId",
        label: "paymentStatement.payeeChannelName",
        kind: "select",
        required: true,
        empty: "paymentStatement.choose",
        choices: channels,
        create: newPayeeChannel,
      },
      { name: "day", label: "paymentStatement.day", kind: "date", required: true },
      {
        name: "numberColumn",
        label: "paymentStatement.numberColumn",
        kind: "text",
        required: true,
        hint: "paymentStatement.numberHint",
      },
      {
        name: "amountColumn",
        label: "paymentStatement.amountColumn",
        kind: "text",
        required: true,
        hint: "paymentStatement.amountHint",
      },
      { name: "refundColumn", label: "paymentStatement.refundColumn", kind: "text", hint: "paymentStatement.refundHint" },
      { name: "file", label: "paymentStatement.file", kind: "text", required: true, wide: true },
    ],
  };
  return form;
}

/** The dialog of an import; it closes with the statement as it was matched. */
export function statementDialog(props: StatementDialogProps) {
  return <StatementDialog {...props} />;
}

function StatementDialog({ overlay, channels }: StatementDialogProps) {
  const t = useT();
  const [overlays, open] = useOverlay();
  const element = useRef<HTMLFormElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [part, setPart] = useState(0);
  const [form] = useState(() => statementForm(t, channels));
  const state = useFormState({
    form,
    record: { payeeChannelId: onlyOne(channels), day: null, numberColumn: "", amountColumn: "", refundColumn: "", file: "" },
    save: async ({ payeeChannelId, day, numberColumn, amountColumn, refundColumn }) => {
      setPart(0);
      const fields = { payeeChannelId: String(payeeChannelId), day, numberColumn, amountColumn, refundColumn };
      // An import cannot be cancelled.
      return send<PaymentStatementRow>("/payStatement/import", fields, file!, { signal: new AbortController().signal, tell: setPart });
    },
    saved: overlay.close,
    open,
    element,
  });
  const { controls, inputs, refusal, isSubmitting, faults } = state;
  const unsaved = state.isDirty && overlay.open;
  const mayDiscard = useLeaveGuard(unsaved, { open, left: () => overlay.close() });

  const dismiss = async () => {
    if (isSubmitting || (unsaved && !(await mayDiscard()))) return;
    overlay.close();
  };

  /** The columns that were filled in for the previously chosen channel. */
  const filled = useRef<Partial<StatementColumns>>({});
  /** Fills in the columns of a channel's last file, except where others have been typed. */
  const fillIn = useEffectEvent((columns: StatementColumns) => {
    for (const name of COLUMNS) {
      const typed = controls.getValues(name);
      if (typed !== "" && typed !== filled.current[name]) continue;
      controls.setValue(name, columns[name] ?? "");
      controls.clearErrors(name);
    }
    filled.current = columns;
  });
  const payeeChannelId = String(inputs["payeeChannelId"] ?? "");
  useEffect(() => {
    if (payeeChannelId === "") return;
    let current = true;
    api.get<StatementColumns>(`/payStatement/columns/${payeeChannelId}`).then(
      (columns) => current && fillIn(columns),
      () => {}, // the client shows why
    );
    return () => {
      current = false;
    };
  }, [payeeChannelId]);

  const choose = (chosen: File | undefined) => {
    if (!chosen || isSubmitting) return;
    const wrong = wrongWith(chosen, t);
    setFile(wrong === null ? chosen : null);
    controls.setValue("file", wrong === null ? chosen.name : "", { shouldDirty: true });
    if (wrong === null) controls.clearErrors("file");
    else controls.setError("file", { type: "file", message: wrong });
  };

  const firstInput = () => element.current?.querySelector<HTMLElement>(".ll-input") ?? null;

  return (
    <Dialog
      overlay={overlay}
      title={t("paymentStatement.import")}
      onDismiss={() => void dismiss()}
      sticky
      initialFocus={firstInput}
      onKeyDown={state.onKeyDown}
    >
      <form ref={element} className="ll-form" noValidate onSubmit={state.submit}>
        <div className="ll-dialog-body">
          {refusal && (
            <p className="ll-alert ll-alert-error" role="alert">
              <Icon name="warning" />
              {refusal}
            </p>
          )}
          <p className="ll-alert ll-alert-info">{t("paymentStatement.importText")}</p>
          <div className="ll-fields">
            {form.fields.map((field) =>
              field.name === "file" ? (
                <FileControl
                  key="file"
                  file={file}
                  error={controls.formState.errors["file"]?.message}
                  fixed={isSubmitting}
                  onChoose={choose}
                />
              ) : (
                <FormControl key={field.name} field={field} form={controls} onBusy={state.onBusy} />
              ),
            )}
          </div>
          {isSubmitting && (
            <div role="status">
              <progress className="ll-progress" aria-label={t("ui.import.progress")} max={1} value={part < 1 ? part : undefined} />
              <p>{t("ui.import.taking")}</p>
            </div>
          )}
        </div>
        <footer className="ll-dialog-foot" onMouseDown={keepFocus}>
          <span className="ll-quiet" role="status">
            {faults ?? t("ui.submitKey", { action: t("ui.import") })}
          </span>
          <Button disabled={isSubmitting} onClick={() => void dismiss()}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={isSubmitting}>
            {t("ui.import")}
          </Button>
        </footer>
      </form>
      {overlays}
    </Dialog>
  );
}

/** Why a file is refused; null if it is accepted. */
function wrongWith({ name, size }: File, t: Translate): string | null {
  if (!isOfType(name, TABLES)) return t("ui.import.wrongType");
  return size > uploadLimits.maxFile ? t("ui.upload.tooLarge") : null;
}

/** The value that is chosen beforehand, if there is only one. */
const onlyOne = ([first, ...others]: readonly SelectOption[]) => (first && others.length === 0 ? first.value : null);

interface FileControlProps {
  file: File | null;
  error: string | undefined;
  /** The file is being sent. */
  fixed: boolean;
  onChoose: (file: File | undefined) => void;
}

/** The file of the statement: chosen or dropped, sent with the form. */
function FileControl({ file, error, fixed, onChoose }: FileControlProps) {
  const t = useT();
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onChoose(event.dataTransfer.files[0]);
  };
  return (
    <div className={`ll-field ll-field-wide${error ? " ll-field-wrong" : ""}`}>
      <span className="ll-label" id="f-file-label">
        {t("paymentStatement.file")}
        <i aria-hidden="true" className="ll-required">
          *
        </i>
      </span>
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
          disabled={fixed}
          aria-labelledby="f-file-label"
          aria-describedby={error ? "f-file-error f-file-hint" : "f-file-hint"}
          aria-invalid={error ? true : undefined}
          aria-required
          onChange={({ target }) => {
            onChoose(target.files?.[0]);
            // The same file can be chosen again, corrected.
            target.value = "";
          }}
        />
        <Icon name="upload" />
        <span>{file ? `${file.name} (${bytes(file.size)})` : t("ui.import.choose")}</span>
        <span className="ll-hint" id="f-file-hint">
          {t("paymentStatement.fileHint", { rows: count(paymentStatementLimits.mostLines) })}
        </span>
      </label>
      {error && (
        <p className="ll-error" id="f-file-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
