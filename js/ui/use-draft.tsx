/** The draft of a form in a dialog: kept after each pause in typing, and offered when the form is opened again. */
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

import { ApiError, TRANSPORT } from "../lib/api";
import type { Draft, KeptDraft } from "../lib/drafts";
import { day, minute, today } from "../lib/format";
import { useT } from "../lib/i18n";
import { useViewer } from "../lib/props";
import { DRAFTS, markDraft } from "../lib/session";
import type { FormField, Inputs } from "./form";

/** A pause this long in typing, in milliseconds, and the draft is kept. */
const PAUSE_MS = 1000;

/** What is kept and filled in again: the state of a form (form-state.tsx), or as much of one that is not built by it. */
interface DraftedForm {
  controls: {
    /** What the inputs began with. */
    formState: { defaultValues?: object | undefined };
    getValues: () => Inputs;
  };
  /** What the inputs hold, at each render. */
  inputs: Inputs;
  isDirty: boolean;
  record: object;
  /** What the record held in the fields. */
  stored: () => Readonly<Record<string, unknown>>;
  /** Fills in a draft; returns whether the record has changed meanwhile. */
  restore: (draft: Draft) => boolean;
}

interface DraftOptions {
  /** Names the form, and what it is about if its record has no id; without a name no draft is kept. */
  form: string | undefined;
  fields: readonly FormField[];
  /** The record that the form was opened for. */
  record: object;
  state: DraftedForm;
  /** The form can be filled in. */
  isOpen: boolean;
}

interface FormDraft {
  /** The offer of an earlier draft, or what became of its record meanwhile. */
  note: ReactNode;
  /** Whether a draft of all that was typed is kept. */
  isThere: () => boolean;
  /** Calls `save`. Until it is refused, the draft says that it may have been saved: the answer may never arrive. */
  whileSent: <T>(save: () => Promise<T>) => Promise<T>;
  /** The form was saved, or what was typed in it discarded: removes its draft, but not one that is still offered. */
  ended: () => void;
}

/** Whether a field may be in a draft: not a secret, and no file. */
const isKept = ({ kind, secret }: FormField) => !secret && kind !== "picture" && kind !== "files";

export function useDraft({ form, fields, record, state, isOpen }: DraftOptions): FormDraft {
  const t = useT();
  const account = useViewer()?.id;
  const { id } = record as { id?: number };
  // Browsers encrypt on secure origins only; the server keeps no draft.
  const isOn = form !== undefined && account !== undefined && globalThis.crypto?.subtle !== undefined;
  const name = `${DRAFTS}${account} ${form} ${id ?? "new"}`;
  /** "sought" until it is known whether there is one, "closed" if it cannot be opened now: then none is kept or removed. */
  const [offer, setOffer] = useState<KeptDraft | "sought" | "closed" | null>(() =>
    isOn && localStorage.getItem(name) !== null ? "sought" : null,
  );
  const [isChanged, setChanged] = useState(false);
  const hasEnded = useRef(false);
  const hasKept = useRef(false);
  const isSent = useRef(false);

  useEffect(() => {
    if (offer !== "sought") return;
    const found = import("../lib/drafts").then(({ findDraft }) => findDraft(name));
    found.then(setOffer, (error: unknown) => {
      console.info("the draft could not be opened", error);
      setOffer("closed");
    });
  }, [offer, name]);

  /** The fields whose inputs are no longer those that the form began with. */
  const changedFields = () => {
    const began = (state.controls.formState.defaultValues ?? {}) as Readonly<Record<string, unknown>>;
    const now = state.controls.getValues();
    return fields.filter(({ name }) => JSON.stringify(now[name]) !== JSON.stringify(began[name]));
  };
  const keep = useEffectEvent(async () => {
    const now = state.controls.getValues();
    const changed = changedFields().filter(isKept);
    const of = <V,>(values: Readonly<Record<string, V>>) =>
      Object.fromEntries(changed.flatMap((field) => [[field.name, values[field.name]!]]));
    if (changed.length === 0) return localStorage.removeItem(name);
    hasKept.current = true;
    const { version = null } = state.record as { version?: number };
    const draft = { version, inputs: of(now), base: of(state.stored()) };
    const { keepDraft } = await import("../lib/drafts");
    await keepDraft(account!, name, draft, () => !hasEnded.current);
    if (isSent.current && !hasEnded.current) markDraft(name, true);
  });
  const written = JSON.stringify(state.inputs);
  const { isDirty } = state;
  useEffect(() => {
    // A draft that is offered stays as it is until the user has decided.
    if (!isOn || !isOpen || offer !== null || !(isDirty || hasKept.current)) return;
    const timer = setTimeout(() => keep().catch((error: unknown) => console.info("the draft was not kept", error)), PAUSE_MS);
    return () => clearTimeout(timer);
    // Each key restarts the pause.
  }, [written, isDirty, isOn, isOpen, offer]);

  const ended = () => {
    hasEnded.current = true;
    if (isOn && hasKept.current) localStorage.removeItem(name);
  };
  const mark = (sent: boolean) => {
    isSent.current = sent;
    if (isOn && hasKept.current) markDraft(name, sent);
  };
  const whileSent = async <T,>(save: () => Promise<T>): Promise<T> => {
    mark(true);
    try {
      return await save();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === TRANSPORT)) mark(false);
      throw error;
    }
  };
  const restore = ({ currentTarget }: MouseEvent, draft: KeptDraft) => {
    focusForm(currentTarget);
    hasKept.current = true;
    setOffer(null);
    setChanged(state.restore(draft));
  };
  const drop = ({ currentTarget }: MouseEvent) => {
    focusForm(currentTarget);
    localStorage.removeItem(name);
    setOffer(null);
  };

  const note =
    typeof offer === "object" && offer !== null ? (
      <p className="ll-alert ll-alert-info" role="status">
        {t(offer.isSent ? "ui.draftOfferSent" : "ui.draftOffer", { at: shortTime(offer.at) })}
        <button type="button" className="ll-link" onClick={(event) => restore(event, offer)}>
          {t("ui.draftRestore")}
        </button>
        <button type="button" className="ll-link" onClick={drop}>
          {t("ui.draftDrop")}
        </button>
      </p>
    ) : isChanged ? (
      <p className="ll-alert ll-alert-warning" role="status">
        {t("ui.draftChanged")}
      </p>
    ) : null;
  return {
    note,
    isThere: () => hasKept.current && localStorage.getItem(name) !== null && changedFields().every(isKept),
    whileSent,
    ended,
  };
}

/** The pressed button is removed, so the focus moves to the first input. */
const focusForm = (button: Element) => button.closest("form")?.querySelector<HTMLElement>(".ll-input:not([readonly])")?.focus();

/** "14:32", with its day if that is not today. */
const shortTime = (at: number) => (day(at) === today() ? minute(at).slice(11) : minute(at));
