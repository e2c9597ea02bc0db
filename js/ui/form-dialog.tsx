/**
 * The dialog of a form: does what every form does (form-state.tsx), and asks before closing it
 * would discard typed text.
 */
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

import { useT } from "../lib/i18n";
import { Button, keepFocus, keepFocusForButtons } from "./button";
import { Dialog } from "./dialog";
import { type Form, type FormField, type FormSection, type Inputs } from "./form";
import { FormControl } from "./form-controls";
import { FormRefusal } from "./form-refusal";
import { useFormState } from "./form-state";
import { useLeaveGuard } from "./leave-guard";
import { NoReviewer } from "./no-reviewer";
import { type Overlay, useOverlay } from "./overlay";
import { useDraft } from "./use-draft";

/** What a layout puts its fields together from. */
export interface FormParts {
  /** The control of a field. */
  control: (name: string) => ReactNode;
  inputs: Inputs;
  /** Fills in a field, and checks it again if it is marked as wrong. */
  fill: (name: string, input: string) => void;
}

interface FormDialogProps<Values, Row, Saved> {
  /** Closes with what `save` answered. */
  overlay: Overlay<Saved>;
  title: string;
  /** A notice to read before filling in the form. */
  note?: string | undefined;
  /** What is saved waits for a second person: the call that answers whether another one may decide. */
  reviewers?: string | undefined;
  /** The subject of the form, above its fields. */
  lead?: ReactNode;
  /** The focus begins at the title and not in the first field, so that the subject is read first. */
  isReadFirst?: boolean;
  /** Name of the button that saves; absent: "Save". */
  submit?: string;
  form: Form<Values>;
  /**
   * Names the form, "channel": what is typed then outlives a reload and an expired login. The id of `record` is added; if it
   * has none, and the form is about a record, the name has that one's id: "clue.giveBack 7". Absent: no draft is kept.
   */
  draft?: string;
  /** The form's fields under headings; absent: without headings. */
  sections?: readonly FormSection[];
  /** Where each field stands; absent: one after the other. */
  layout?: (parts: FormParts) => ReactNode;
  /** The record that is edited, or what a new one starts with. */
  record: Row;
  /** What the fields hold for a record, where that is more than its own properties. */
  valuesOf?: (record: Row) => object;
  /** Saves; `record` is the one whose version counts: after a conflict, the current one. */
  save: (values: Values, record: Row) => Promise<Saved>;
}

export function FormDialog<Values extends object, Row extends object, Saved>(props: FormDialogProps<Values, Row, Saved>) {
  const { overlay, title, form, sections, record, valuesOf, save } = props;
  const t = useT();
  const [overlays, open] = useOverlay();
  const element = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<{ of: Saved }>();
  const saved = (of: Saved) => {
    draft.ended();
    setAnswer({ of });
  };
  const sent = (values: Values, row: Row) => draft.whileSent(() => save(values, row));
  const state = useFormState<Values, Row, Saved>({ form, record, valuesOf, save: sent, saved, open, element });
  const { controls, inputs, stale, isUploading, isSubmitting, faults } = state;
  const draft = useDraft({ form: props.draft, fields: form.fields, record, state, isOpen: overlay.open && !stale });
  const action = props.submit ?? t("ui.save");
  const unsaved = state.isDirty && overlay.open && !stale && answer === undefined;
  const left = () => {
    draft.ended();
    overlay.close();
  };
  const mayDiscard = useLeaveGuard(unsaved, { open, left, hasDraft: draft.isThere });

  /** Closes after the guard is off: the caller may open another page. */
  const close = useEffectEvent(overlay.close);
  useEffect(() => {
    if (answer !== undefined) close(answer.of);
  }, [answer]);

  const dismiss = async () => {
    if (isSubmitting || (unsaved && !(await mayDiscard()))) return;
    draft.ended();
    // The page behind it is stale too: the caller reloads it.
    if (stale) overlay.fail(stale);
    else overlay.close();
  };

  const control = (each: FormField) => {
    const field = state.shown(each);
    return field && <FormControl key={field.name} field={field} form={controls} onBusy={state.onBusy} />;
  };
  const shown = (fields: readonly FormField[]) => <div className="ll-fields">{fields.map(control)}</div>;
  const laidOut = (layout: (parts: FormParts) => ReactNode) => {
    const byName = new Map(form.fields.map((field) => [field.name, field]));
    return layout({
      control: (name) => {
        const field = byName.get(name);
        return field && control(field);
      },
      inputs,
      fill: (name, input) =>
        controls.setValue(name, input, { shouldDirty: true, shouldValidate: controls.formState.errors[name] !== undefined }),
    });
  };
  const firstInput = () => element.current?.querySelector<HTMLElement>(".ll-input:not([readonly])") ?? null;
  const heading = () => element.current?.closest("[role=dialog]")?.querySelector<HTMLElement>(".ll-dialog-title") ?? null;

  return (
    <Dialog
      overlay={overlay}
      title={title}
      onDismiss={() => void dismiss()}
      sticky
      initialFocus={props.isReadFirst ? heading : firstInput}
      onKeyDown={state.onKeyDown}
    >
      <form ref={element} className="ll-form" noValidate onSubmit={state.submit}>
        <div className="ll-dialog-body">
          {draft.note}
          <FormRefusal text={state.refusal} cure={state.cure} />
          {props.note && <p className="ll-alert ll-alert-info">{props.note}</p>}
          {props.reviewers && <NoReviewer path={props.reviewers} />}
          {props.lead && (
            <div className="ll-form-lead" onMouseDown={keepFocusForButtons}>
              {props.lead}
            </div>
          )}
          {props.layout
            ? laidOut(props.layout)
            : (sections?.map((section) => (
                <section key={section.title} className="ll-form-section" aria-label={t(section.title)}>
                  <h3 className="ll-form-section-title">{t(section.title)}</h3>
                  {shown(section.fields)}
                </section>
              )) ?? shown(form.fields))}
        </div>
        <footer className="ll-dialog-foot" onMouseDown={keepFocus}>
          <span className="ll-quiet" role="status">
            {isUploading ? t("ui.upload.wait") : (faults ?? t("ui.submitKey", { action }))}
          </span>
          <Button onClick={() => void dismiss()}>{t("ui.cancel")}</Button>
          <Button type="submit" look="primary" disabled={isUploading} busy={isSubmitting}>
            {action}
          </Button>
        </footer>
      </form>
      {overlays}
    </Dialog>
  );
}
