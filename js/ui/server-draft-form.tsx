/**
 * A form that is a page and whose draft the server keeps: after a pause in typing, and by a button.
 */
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { $ZodType } from "zod/v4/core";

import { ApiError } from "../lib/api";
import { time } from "../lib/format";
import { useIsHydrated } from "../lib/hydrated";
import { type MessageKey, useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import { Button, keepFocus } from "./button";
import { type FormSection, type Inputs, inputsOf } from "./form";
import { FormRefusal } from "./form-refusal";
import { FormSections } from "./form-sections";
import { currentOf, useFormState } from "./form-state";
import { useLeaveGuard } from "./leave-guard";
import { confirm, useOverlay } from "./overlay";

/** A pause this long, in milliseconds, and the draft is saved. */
const PAUSE_MS = 3000;

/** How a draft is kept. */
interface Draft<Row> {
  /** Saves the inputs, valid or not; returns the saved record. Shows no message on failure. */
  save: (inputs: Inputs, record: Row) => Promise<Row>;
  /** The values to compare with if another person has saved first. */
  valuesOf: (inputs: Inputs) => object;
  /** When a record was saved, epoch milliseconds; nothing for one that never was. */
  savedAt: (record: Row) => number | null;
}

interface ServerDraftFormProps<Values, Row, Saved> {
  title: MessageKey;
  text?: MessageKey;
  sections: readonly FormSection[];
  schema: $ZodType<Values, unknown>;
  /** The record that is edited, or what a new one starts with. */
  record: Row;
  /** What a reset goes back to. */
  blank: Row;
  /** Name of the button that submits. */
  submit: MessageKey;
  save: (values: Values, record: Row) => Promise<Saved>;
  /** Called with the answer of `save`, once the guard of unsaved input lets the page be left. */
  saved: (answer: Saved) => void;
  draft: Draft<Row>;
  /** Above the sections. */
  children?: ReactNode;
}

type DraftState = { kind: "kept" | "saving" } | { kind: "failed"; why: string };

export function ServerDraftForm<Values extends object, Row extends object, Saved>(props: ServerDraftFormProps<Values, Row, Saved>) {
  const { title, text, sections, schema, draft } = props;
  const t = useT();
  const [overlays, open] = useOverlay();
  const isReady = useIsHydrated();
  const fields = sections.flatMap((section) => section.fields);
  const [answer, setAnswer] = useState<Saved>();
  const [draftState, setDraftState] = useState<DraftState>({ kind: "kept" });
  /** The draft that is being saved; a submit waits for it, since it changes the version. */
  const running = useRef<Promise<void>>(undefined);
  const latest = useRef(props.record);
  const element = useRef<HTMLFormElement>(null);

  const state = useFormState<Values, Row, Saved>({
    form: { fields, schema },
    record: props.record,
    save: async (values) => {
      await running.current;
      return props.save(values, latest.current);
    },
    saved: setAnswer,
    refused: () => notify("error", t("ui.submitFailed")),
    open,
    element,
  });
  const { controls, inputs, record, isUploading, isSubmitting, faults } = state;
  latest.current = record;

  const written = JSON.stringify(inputs);
  const [kept, setKept] = useState(() => JSON.stringify(inputsOf(fields, props.record as Record<string, unknown>)));
  const unsaved = written !== kept && answer === undefined;
  useLeaveGuard(unsaved, { open });

  /** Leaves the page after the guard is off. */
  const leave = useEffectEvent(props.saved);
  useEffect(() => {
    if (answer !== undefined) leave(answer);
  }, [answer]);

  const saveDraft = (): Promise<void> => {
    const [sent, text] = [controls.getValues(), written];
    setDraftState({ kind: "saving" });
    const save = async () => {
      try {
        const row = await draft.save(sent, latest.current);
        latest.current = row;
        state.setRecord(row);
        setKept(text);
        setDraftState({ kind: "kept" });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const theirs = currentOf<Row>(error);
        if (theirs) await state.settle(draft.valuesOf(sent), theirs);
        setDraftState(theirs ? { kind: "kept" } : { kind: "failed", why: Object.values(error.fields).join(" ") || error.desc });
      }
    };
    running.current = save();
    return running.current;
  };
  const saveByItself = useEffectEvent(() => {
    if (draftState.kind !== "saving") void saveDraft();
  });
  const isSaving = draftState.kind === "saving";
  useEffect(() => {
    if (!unsaved || isSubmitting || isSaving) return;
    const timer = setTimeout(saveByItself, PAUSE_MS);
    return () => clearTimeout(timer);
    // Each key restarts the pause.
  }, [written, unsaved, isSubmitting, isSaving]);

  const reset = async () => {
    const question = { title: t("ui.resetTitle"), text: t("ui.resetText"), confirm: t("ui.reset"), danger: true };
    if (await confirm(open, question)) controls.reset(inputsOf(fields, props.blank as Record<string, unknown>));
  };

  const page = (
    <form
      ref={element}
      className="ll-form-page"
      noValidate
      aria-labelledby="form-title"
      onSubmit={state.submit}
      onKeyDown={state.onKeyDown}
    >
      <FormSections
        sections={sections}
        shown={state.shown}
        form={controls}
        onBusy={state.onBusy}
        isReady={isReady}
        head={
          <>
            <h1 className="ll-title" id="form-title">
              {t(title)}
            </h1>
            {text && <p className="ll-quiet">{t(text)}</p>}
            {props.children}
            <FormRefusal text={state.refusal} cure={state.cure} />
          </>
        }
      />
      <div className="ll-form-bar" onMouseDown={keepFocus}>
        <p className="ll-quiet" role="status">
          {statusOf()}
        </p>
        {faults ? (
          <span className="ll-quiet" role="status">
            {faults}
          </span>
        ) : (
          <span className="ll-form-keys">{t("ui.submitKey", { action: t(props.submit) })}</span>
        )}
        <Button disabled={!isReady} onClick={() => void reset()}>
          {t("ui.reset")}
        </Button>
        <Button disabled={!isReady || isSubmitting} busy={isSaving} onClick={() => void saveDraft()}>
          {t("ui.saveDraft")}
        </Button>
        <Button type="submit" look="primary" disabled={!isReady || isUploading} busy={isSubmitting}>
          {t(props.submit)}
        </Button>
      </div>
    </form>
  );
  // Overlays are beside the form, so that keys pressed in a dialog do not reach the form.
  return (
    <>
      {page}
      {overlays}
    </>
  );

  function statusOf(): string {
    if (isUploading) return t("ui.upload.wait");
    if (draftState.kind === "failed") return t("ui.draftFailed", { why: draftState.why });
    if (isSaving) return t("ui.draftSaving");
    if (unsaved) return t("ui.draftUnsaved");
    const at = draft.savedAt(record);
    return at === null ? "" : t("ui.draftSaved", { at: time(at) });
  }
}
