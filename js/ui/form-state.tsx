/**
 * What every form does, in a dialog or on a page of its own: it checks the input with the
 * schema while the user types, shows the server's errors at the fields that they name,
 * and resolves conflicts if another person has changed the record meanwhile.
 */
import { zodResolver } from "@hookform/resolvers/zod";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from "react";
import { type FieldPath, useForm, type UseFormReturn } from "react-hook-form";

import { ApiError } from "../lib/api";
import type { Draft } from "../lib/drafts";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import { CONFLICT, conflictsOf, keepMine, Stale } from "./conflict";
import type { Settlement } from "./conflict-dialog";
import { allInOneForm, type Form, type FormField, type Inputs, inputsOf, shownField } from "./form";
import type { Open } from "./overlay";

type Plain = Record<string, unknown>;

interface FormStateOptions<Values, Row, Saved> {
  form: Form<Values>;
  /** The record that is edited, or what a new one starts with. */
  record: Row;
  /** What the fields hold for a record, where that is more than its own properties. */
  valuesOf?: (record: Row) => object;
  /** Saves; `record` is the one whose version counts: after a conflict, the current one. */
  save: (values: Values, record: Row) => Promise<Saved>;
  /** Called with what `save` answered. */
  saved: (answer: Saved) => void;
  /** Called when the schema or the server has refused a submit. */
  refused?: () => void;
  /** Opens the dialog about a conflict. */
  open: Open;
  /** Where the form is shown. */
  element: RefObject<HTMLFormElement | null>;
}

export function useFormState<Values extends object, Row extends object, Saved>(options: FormStateOptions<Values, Row, Saved>) {
  const { form: definition, save, saved, refused, open, element } = options;
  const { fields, schema } = definition;
  const valuesOf = (row: Row): Plain => ({ ...(options.valuesOf?.(row) ?? row) });
  const t = useT();
  const [record, setRecord] = useState(options.record);
  /** What fields of a restored draft were when it was typed, where the record has another version now. */
  const [base, setBase] = useState<Plain>({});
  /** What the fields were when the input began. */
  const stored = (): Plain => ({ ...valuesOf(record), ...base });
  const [refusal, setRefusal] = useState("");
  const [cure, setCure] = useState<string>();
  const [stale, setStale] = useState<Stale | null>(null);
  /** The fields that were hidden when they were refused: they are shown from then on, so that they can be corrected. */
  const [raised, setRaised] = useState<readonly string[]>([]);
  /** The fields whose files are on their way. */
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const onBusy = useCallback((field: string, busy: boolean) => {
    setUploading((fields) => [...fields.filter((one) => one !== field), ...(busy ? [field] : [])]);
  }, []);
  const resolve = zodResolver(schema as never) as unknown as (inputs: Inputs, context: undefined, options: never) => unknown;
  const form = useForm<Inputs, unknown, Values>({
    defaultValues: inputsOf(fields, valuesOf(options.record)),
    // Enter submits without a blur of the field, so its text may not be normalised yet.
    resolver: ((inputs: Inputs, ...rest: [undefined, never]) => resolve(allInOneForm(fields, inputs), ...rest)) as never,
    mode: "onTouched",
  });
  const { errors, isDirty, isSubmitting, submitCount } = form.formState;
  const inputs = form.watch() as Inputs;
  const wrong = submitCount > 0 ? Object.keys(errors).length : 0;
  // The first wrong field may be out of sight although it has the focus: focusing it again does not scroll.
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector("[aria-invalid=true], .ll-alert-error")?.scrollIntoView({ block: "center" });
  }, [submitCount, element]);
  // The controls read and write inputs only; the type of the submitted values does not concern them.
  const controls = form as unknown as UseFormReturn<Inputs>;

  /** Resolves a conflict with a save by another person: shows their changes and asks which copy to continue with. */
  const settle = async (values: object, theirs: Row): Promise<void> => {
    const names = fields.map(({ name }) => name);
    const [before, mine, now] = [stored(), { ...values } as Plain, valuesOf(theirs)];
    const conflicts = conflictsOf(names, before, mine, now);
    const { ConflictDialog } = await import("./conflict-dialog");
    const settlement = await open<Settlement>((overlay) => <ConflictDialog overlay={overlay} fields={fields} conflicts={conflicts} />);
    setRecord(theirs);
    setBase({});
    form.reset(inputsOf(fields, now));
    if (settlement === "theirs") return;
    const merged = inputsOf(fields, keepMine(names, before, mine, now));
    for (const name of names) form.setValue(name, merged[name] ?? "", { shouldDirty: true });
  };

  /**
   * Fills in a draft. Returns whether it is of another version than the record here: then the save names the older of both, which the
   * server refuses, so that the conflict is shown.
   */
  const restore = (draft: Draft): boolean => {
    const { version } = record as { version?: number };
    const isChanged = (version ?? null) !== draft.version;
    if (isChanged) {
      if (version !== undefined && draft.version !== null && draft.version < version) setRecord({ ...record, version: draft.version });
      setBase({ ...draft.base });
    }
    for (const { name } of fields) {
      const input = draft.inputs[name];
      if (input !== undefined) form.setValue(name, input, { shouldDirty: true });
    }
    return isChanged;
  };

  /** Shows those of the wrong fields that are hidden. */
  const raise = (wrong: readonly string[]) => {
    const now = form.getValues();
    const hidden = fields.filter((field) => wrong.includes(field.name) && shownField(field, now) === null);
    if (hidden.length > 0) setRaised((names) => [...names, ...hidden.map(({ name }) => name)]);
  };

  /** Shows a refusal of the server: messages of the form's fields at these, all others above the form. */
  const show = (error: ApiError) => {
    setCure(error.cure);
    const wrong = Object.entries(error.fields);
    const known = wrong.filter(([name]) => fields.some((field) => field.name === name));
    raise(known.map(([name]) => name));
    known.forEach(([name, message], index) => {
      form.setError(name as FieldPath<Inputs>, { type: "server", message }, { shouldFocus: index === 0 });
    });
    const unknown = wrong.filter(([name]) => !fields.some((field) => field.name === name)).map(([, message]) => message);
    setRefusal(known.length > 0 && unknown.length === 0 ? "" : unknown.join(" ") || error.desc);
  };

  const submit = form.handleSubmit(
    async (values) => {
      setRefusal("");
      setCure(undefined);
      try {
        saved(await save(values, record));
      } catch (error) {
        if (!(error instanceof ApiError)) {
          console.error(error);
          notify("error", t("ui.submitFailed"));
          return;
        }
        refused?.();
        const current = currentOf<Row>(error);
        if (current) return settle(values, current);
        if (error instanceof Stale) {
          setStale(error);
          return setRefusal(t("ui.stale"));
        }
        show(error);
      }
    },
    (wrong) => {
      refused?.();
      raise(Object.keys(wrong));
      // The user cannot correct an error that no field shows.
      const unseen = Object.keys(wrong).filter((name) => !fields.some((field) => field.name === name));
      if (unseen.length > 0) console.error(`The schema asks for what the form does not have: ${unseen.join(", ")}`);
    },
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (uploading.length === 0) void submit();
    }
  };

  return {
    controls,
    /** What the inputs hold now. */
    inputs,
    /** A field as it is shown now; null if it is not shown. */
    shown: (field: FormField) => shownField(field, inputs, raised),
    /** The refusal that is shown above the form; empty if there is none. */
    refusal,
    /** The address of what lifts the refusal; absent: it names none. */
    cure,
    /** Set when the form is about the record as it was read, and that has changed: it cannot be saved. */
    stale,
    record,
    setRecord,
    stored,
    settle,
    restore,
    submit,
    /** Ctrl+Enter submits. */
    onKeyDown,
    /** For the form's controls, which call it when uploads begin and end. */
    onBusy,
    /** A file is being uploaded: a save now would be without it. */
    isUploading: uploading.length > 0,
    isDirty,
    isSubmitting,
    /** How many fields are wrong, once the form was submitted, as text beside its buttons; null: none is. */
    faults: wrong > 0 ? t("ui.wrongFields", { count: wrong }) : null,
  };
}

/** The current record, if a save was refused because another person had saved first. */
export function currentOf<Row>(error: ApiError): Row | undefined {
  return error.code === CONFLICT ? ((error.data as { current?: Row } | null)?.current ?? undefined) : undefined;
}
