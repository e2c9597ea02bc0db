/**
 * The dialog of a form. It checks with the schema as one types, shows what the
 * server finds wrong at the field it names, asks before typed work is thrown
 * away, and settles it when somebody else has changed the record meanwhile.
 */
import { zodResolver } from "@hookform/resolvers/zod";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { type FieldPath, useForm, type UseFormReturn } from "react-hook-form";
import { useBlocker } from "react-router";

import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import { Button } from "./button";
import { conflictsOf, keepMine } from "./conflict";
import { ConflictDialog, type Settlement } from "./conflict-dialog";
import { Dialog } from "./dialog";
import { type Form, type Inputs, inputsOf } from "./form";
import { FormControl } from "./form-controls";
import { Icon } from "./icon";
import { confirm, type Overlay, useOverlay } from "./overlay";

const CONFLICT = "1005";

type Plain = Record<string, unknown>;

interface FormDialogProps<Values, Row, Saved> {
  /** Closes with what `save` answered. */
  overlay: Overlay<Saved>;
  title: string;
  form: Form<Values>;
  /** The record that is edited, or what a new one starts with. */
  record: Row;
  /** What the fields hold for a record, where that is more than its own properties. */
  valuesOf?: (record: Row) => object;
  /** Saves; `record` is the one whose version counts: after a conflict, the current one. */
  save: (values: Values, record: Row) => Promise<Saved>;
}

export function FormDialog<Values extends object, Row extends object, Saved>(props: FormDialogProps<Values, Row, Saved>) {
  const { overlay, title, form: definition, save } = props;
  const { fields, schema } = definition;
  const valuesOf = (row: Row): Plain => ({ ...(props.valuesOf?.(row) ?? row) });
  const t = useT();
  const [overlays, open] = useOverlay();
  const [record, setRecord] = useState(props.record);
  const [refusal, setRefusal] = useState("");
  const element = useRef<HTMLFormElement>(null);
  const form = useForm<Inputs, unknown, Values>({
    defaultValues: inputsOf(fields, valuesOf(props.record)),
    resolver: zodResolver(schema as never) as never,
    mode: "onTouched",
  });
  // The controls read and write inputs only; what a submit makes of them is not theirs to know.
  const controls = form as unknown as UseFormReturn<Inputs>;
  const { isDirty, isSubmitting } = form.formState;
  const inputs = form.watch();
  const unsaved = isDirty && overlay.open;
  const askToDiscard = () =>
    confirm(open, { title: t("ui.discardTitle"), text: t("ui.discardText"), confirm: t("ui.discard"), danger: true });
  useLeaveGuard(unsaved, askToDiscard, () => overlay.close());

  const dismiss = async () => {
    if (isSubmitting || (unsaved && !(await askToDiscard()))) return;
    overlay.close();
  };

  /** Somebody else has saved since: what they changed, and whose copy goes on. */
  const settle = async (values: Values, theirs: Row) => {
    const names = fields.map(({ name }) => name);
    const [base, mine, now] = [valuesOf(record), { ...values } as Plain, valuesOf(theirs)];
    const conflicts = conflictsOf(names, base, mine, now);
    const settlement = await open<Settlement>((overlay) => <ConflictDialog overlay={overlay} fields={fields} conflicts={conflicts} />);
    setRecord(theirs);
    form.reset(inputsOf(fields, now));
    if (settlement === "theirs") return;
    const merged = inputsOf(fields, keepMine(names, base, mine, now));
    for (const name of names) form.setValue(name, merged[name] ?? "", { shouldDirty: true });
  };

  const submit = form.handleSubmit(async (values) => {
    setRefusal("");
    try {
      overlay.close(await save(values, record));
    } catch (error) {
      if (!(error instanceof ApiError)) {
        console.error(error);
        notify("error", t("ui.submitFailed"));
        return;
      }
      const current = (error.data as { current?: Row } | null)?.current;
      if (error.code === CONFLICT && current) return settle(values, current);
      const wrong = Object.entries(error.fields);
      const known = wrong.filter(([name]) => fields.some((field) => field.name === name));
      known.forEach(([name, message], index) => {
        form.setError(name as FieldPath<Inputs>, { type: "server", message }, { shouldFocus: index === 0 });
      });
      const unknown = wrong.filter(([name]) => !fields.some((field) => field.name === name)).map(([, message]) => message);
      setRefusal(known.length > 0 && unknown.length === 0 ? "" : unknown.join(" ") || error.desc);
    }
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void submit();
    }
  };

  const firstInput = () => element.current?.querySelector<HTMLElement>(".ll-input:not([readonly])") ?? null;

  return (
    <Dialog overlay={overlay} title={title} onDismiss={() => void dismiss()} sticky initialFocus={firstInput} onKeyDown={onKeyDown}>
      <form ref={element} className="ll-form" noValidate onSubmit={submit}>
        <div className="ll-dialog-body">
          {refusal && (
            <p className="ll-alert ll-alert-error" role="alert">
              <Icon name="warning" />
              {refusal}
            </p>
          )}
          <div className="ll-fields">
            {fields.map((field) => (field.when && !field.when(inputs) ? null : <FormControl key={field.name} field={field} form={controls} />))}
          </div>
        </div>
        <footer className="ll-dialog-foot">
          <span className="ll-quiet">{t("ui.saveKeys")}</span>
          <Button onClick={() => void dismiss()}>{t("ui.cancel")}</Button>
          <Button type="submit" look="primary" busy={isSubmitting}>
            {t("ui.save")}
          </Button>
        </footer>
      </form>
      {overlays}
    </Dialog>
  );
}

/**
 * While something typed is unsaved, leaving the page asks first: by the browser's
 * back, or by closing the tab. `left` is called when the page is left after all.
 */
function useLeaveGuard(unsaved: boolean, ask: () => Promise<boolean>, left: () => void): void {
  const blocker = useBlocker(unsaved);
  const settle = useEffectEvent(async () => {
    if (blocker.state !== "blocked") return;
    if (!(await ask())) return blocker.reset();
    blocker.proceed();
    left();
  });
  useEffect(() => {
    if (blocker.state === "blocked") void settle();
  }, [blocker.state]);
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [unsaved]);
}
