/**
 * What every form does, in a dialog or on a page of its own: it checks with the
 * schema as one types, shows what the server finds wrong at the field it names,
 * and settles it when somebody else has changed the record meanwhile.
 */
import { zodResolver } from "@hookform/resolvers/zod";
import { type KeyboardEvent, useCallback, useState } from "react";
import { type FieldPath, useForm, type UseFormReturn } from "react-hook-form";

import { ApiError } from "../lib/api";
import { useT } from "../lib/i18n";
import { notify } from "../lib/toast";
import { CONFLICT, conflictsOf, keepMine, Stale } from "./conflict";
import type { Settlement } from "./conflict-dialog";
import { allInOneForm, type Form, type Inputs, inputsOf } from "./form";
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
  /** Called when a submit came to nothing, by the schema's word or the server's. */
  refused?: () => void;
  /** Where the question about a conflict opens. */
  open: Open;
}

export function useFormState<Values extends object, Row extends object, Saved>(options: FormStateOptions<Values, Row, Saved>) {
  const { form: definition, save, saved, refused, open } = options;
  const { fields, schema } = definition;
  const valuesOf = (row: Row): Plain => ({ ...(options.valuesOf?.(row) ?? row) });
  const t = useT();
  const [record, setRecord] = useState(options.record);
  const [refusal, setRefusal] = useState("");
  const [stale, setStale] = useState<Stale | null>(null);
  /** The fields whose files are on their way. */
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const onBusy = useCallback((field: string, busy: boolean) => {
    setUploading((fields) => [...fields.filter((one) => one !== field), ...(busy ? [field] : [])]);
  }, []);
  const resolve = zodResolver(schema as never) as unknown as (inputs: Inputs, context: undefined, options: never) => unknown;
  const form = useForm<Inputs, unknown, Values>({
    defaultValues: inputsOf(fields, valuesOf(options.record)),
    // Enter submits without leaving the field, so that its text may not be in one form yet.
    resolver: ((inputs: Inputs, ...rest: [undefined, never]) => resolve(allInOneForm(fields, inputs), ...rest)) as never,
    mode: "onTouched",
  });
  // The controls read and write inputs only; what a submit makes of them is not theirs to know.
  const controls = form as unknown as UseFormReturn<Inputs>;

  /** Somebody else has saved since: what they changed, and whose copy goes on. */
  const settle = async (values: object, theirs: Row): Promise<void> => {
    const names = fields.map(({ name }) => name);
    const [base, mine, now] = [valuesOf(record), { ...values } as Plain, valuesOf(theirs)];
    const conflicts = conflictsOf(names, base, mine, now);
    const { ConflictDialog } = await import("./conflict-dialog");
    const settlement = await open<Settlement>((overlay) => <ConflictDialog overlay={overlay} fields={fields} conflicts={conflicts} />);
    setRecord(theirs);
    form.reset(inputsOf(fields, now));
    if (settlement === "theirs") return;
    const merged = inputsOf(fields, keepMine(names, base, mine, now));
    for (const name of names) form.setValue(name, merged[name] ?? "", { shouldDirty: true });
  };

  /** Shows what the server refused: at the fields it names, and above the form what names none. */
  const show = (error: ApiError) => {
    const wrong = Object.entries(error.fields);
    const known = wrong.filter(([name]) => fields.some((field) => field.name === name));
    known.forEach(([name, message], index) => {
      form.setError(name as FieldPath<Inputs>, { type: "server", message }, { shouldFocus: index === 0 });
    });
    const unknown = wrong.filter(([name]) => !fields.some((field) => field.name === name)).map(([, message]) => message);
    setRefusal(known.length > 0 && unknown.length === 0 ? "" : unknown.join(" ") || error.desc);
  };

  const submit = form.handleSubmit(
    async (values) => {
      setRefusal("");
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
      // Nobody could mend what no field shows.
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
    inputs: form.watch() as Inputs,
    /** What the server refused as a whole; empty when nothing. */
    refusal,
    /** The refusal of what is about a record as it was read, and that has changed: no saving it again. */
    stale,
    record,
    setRecord,
    settle,
    submit,
    /** Ctrl+Enter submits. */
    onKeyDown,
    /** For its controls: what they say of their uploads. */
    onBusy,
    /** A file is on its way: what is saved now would be without it. */
    isUploading: uploading.length > 0,
    isDirty: form.formState.isDirty,
    isSubmitting: form.formState.isSubmitting,
  };
}

/** The record as it is now, when a save was refused because somebody else was faster. */
export function currentOf<Row>(error: ApiError): Row | undefined {
  return error.code === CONFLICT ? ((error.data as { current?: Row } | null)?.current ?? undefined) : undefined;
}
