/**
 * A form at an address of its own: sections with an index, and a bar at the bottom that stays in sight. It does what the
 * dialog of a form does (form-dialog.tsx), and takes what that takes.
 */
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";

import { useIsHydrated } from "../lib/hydrated";
import { type MessageKey, useT } from "../lib/i18n";
import { BackLink, isOpenedElsewhere, useGoBack } from "./back-link";
import { Button, buttonClass, keepFocus } from "./button";
import { type Form, type FormSection, inputsOf } from "./form";
import { FormRefusal } from "./form-refusal";
import { FormSections, sectionId } from "./form-sections";
import { useFormState } from "./form-state";
import { useLeaveGuard } from "./leave-guard";
import { useOverlay } from "./overlay";
import { useDraft } from "./use-draft";

interface FormPageProps<Values, Row, Saved> {
  /** The page above: the list, or the record that is edited. */
  back: { href: string; title: MessageKey };
  title: string;
  /** A notice to read before filling in the form. */
  note?: string | undefined;
  /** Name of the button that saves; absent: "Save". */
  submit?: string;
  form: Form<Values>;
  /** Names the form, as in a dialog; absent: no draft is kept. */
  draft?: string;
  /** All fields of the form, under headings. */
  sections: readonly FormSection[];
  /** The record that is edited, or what a new one starts with. */
  record: Row;
  /** What the fields hold for a record, where that is more than its own properties. */
  valuesOf?: ((record: Row) => object) | undefined;
  /** Values of fields that the form begins with as changes that are not saved. */
  changes?: object | undefined;
  /** Saves; `record` is the one whose version counts: after a conflict, the current one. */
  save: (values: Values, record: Row) => Promise<Saved>;
  /** Called with what `save` answered, once the page may be left. */
  saved: (answer: Saved) => void;
}

export function FormPage<Values extends object, Row extends object, Saved>(props: FormPageProps<Values, Row, Saved>) {
  const { back, title, form, sections, record, valuesOf, save } = props;
  const t = useT();
  const [overlays, open] = useOverlay();
  const element = useRef<HTMLFormElement>(null);
  const isReady = useIsHydrated();
  const [answer, setAnswer] = useState<{ of: Saved }>();
  const saved = (of: Saved) => {
    draft.ended();
    setAnswer({ of });
  };
  const sent = (values: Values, row: Row) => draft.whileSent(() => save(values, row));
  const state = useFormState<Values, Row, Saved>({ form, record, valuesOf, save: sent, saved, open, element });
  const { controls, stale, isUploading, isSubmitting, faults } = state;
  const isOpen = !stale && answer === undefined;
  const draft = useDraft({ form: props.draft, fields: form.fields, record, state, isOpen });
  const action = props.submit ?? t("ui.save");
  useLeaveGuard(state.isDirty && isOpen, { open, left: () => draft.ended(), hasDraft: draft.isThere });

  /** Leaves the page after the guard is off. */
  const leave = useEffectEvent(props.saved);
  useEffect(() => {
    if (answer !== undefined) leave(answer.of);
  }, [answer]);

  const begin = useEffectEvent(() => {
    const changed = form.fields.filter(({ name }) => props.changes && name in props.changes);
    const values = inputsOf(changed, { ...props.changes });
    for (const { name } of changed) controls.setValue(name, values[name]!, { shouldDirty: true });
  });
  useEffect(() => begin(), []);

  const goBack = useGoBack(back.href);
  const cancel = (event: MouseEvent) => {
    if (isOpenedElsewhere(event)) return;
    event.preventDefault();
    void goBack();
  };

  /** Not by the fragment: an entry of the history would be left behind. */
  const toSection = (event: MouseEvent, index: number) => {
    const section = document.getElementById(sectionId(index));
    if (!section || isOpenedElsewhere(event)) return;
    event.preventDefault();
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  };

  // Overlays are beside the form, so that keys pressed in a dialog do not reach the form.
  return (
    <>
      <form
        ref={element}
        className="ll-form-page"
        noValidate
        aria-labelledby="form-title"
        onSubmit={state.submit}
        onKeyDown={state.onKeyDown}
      >
        <nav className="ll-page-tabs ll-form-index" aria-label={t("ui.formIndex")}>
          {sections.map((section, index) => (
            <a key={section.title} href={`#${sectionId(index)}`} onClick={(event) => toSection(event, index)}>
              {t(section.title)}
            </a>
          ))}
        </nav>
        <FormSections
          sections={sections}
          shown={state.shown}
          form={controls}
          onBusy={state.onBusy}
          isReady={isReady}
          head={
            <>
              <BackLink href={back.href}>{t("ui.backTo", { name: t(back.title) })}</BackLink>
              <h1 className="ll-title" id="form-title">
                {title}
              </h1>
              {draft.note}
              <FormRefusal text={state.refusal} cure={state.cure} />
              {props.note && <p className="ll-alert ll-alert-info">{props.note}</p>}
            </>
          }
        />
        <div className="ll-form-bar" onMouseDown={keepFocus}>
          <span className="ll-quiet" role="status">
            {isUploading ? t("ui.upload.wait") : (faults ?? t("ui.submitKey", { action }))}
          </span>
          <a className={buttonClass()} href={back.href} onClick={cancel}>
            {t("ui.cancel")}
          </a>
          <Button type="submit" look="primary" disabled={!isReady || isUploading} busy={isSubmitting}>
            {action}
          </Button>
        </div>
      </form>
      {overlays}
    </>
  );
}
