/** The inputs of a form: native ones, each with label, hint and message tied to it. */
import { type FocusEvent, lazy, type ReactNode, Suspense, useEffect, useId, useState } from "react";
import { type FieldError, useController, type UseFormReturn, useWatch } from "react-hook-form";

import type { StoredFile } from "../lib/api-types";
import { useIsHydrated } from "../lib/hydrated";
import { useT } from "../lib/i18n";
import { type Choice, type FormField, inOneForm, type Inputs, type Search, type TermsKind } from "./form";
import { DayInput } from "./day-input";
import { Icon } from "./icon";
import { SearchSelect } from "./search-select";
import { SeveralSelect } from "./several-select";

/** Few forms have a tree: the component loads with the first one that has. */
const CheckTree = lazy(() => import("./check-tree"));
/** The same for files. */
const Upload = lazy(async () => ({ default: (await import("./upload")).Upload }));

/** The same for the button below a select without choices. */
const NoneYet = lazy(() => import("./none-yet"));

/** The same for the editors of terms. */
const termsEditors = {
  rules: lazy(() => import("./rule-editor")),
  schedule: lazy(() => import("./schedule-editor")),
  caps: lazy(() => import("./caps-editor")),
  prices: lazy(() => import("./prices-editor")),
};

interface InputProps<Field> {
  field: Field;
  form: UseFormReturn<Inputs>;
}

interface ControlProps<Field = FormField> extends InputProps<Field> {
  /** Called when an upload of the field's files begins or ends. */
  onBusy: (field: string, busy: boolean) => void;
}

/** One field with everything around it. */
export function FormControl({ field, form, onBusy }: ControlProps) {
  const t = useT();
  // Forms stand one over the other, and may have fields of the same name.
  const id = `${useId()}-${field.name}`;
  const error = form.formState.errors[field.name] as FieldError | undefined;
  // These editors show their faults at the parts that are wrong; a refusal of the server is about the whole.
  const marksItself = ["rules", "caps", "prices"].includes(field.kind);
  const message = marksItself && error?.type !== "server" ? undefined : error?.message;
  const about = [message !== undefined && `${id}-error`, field.hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const shared: Shared = { id, "aria-invalid": error ? true : undefined, "aria-describedby": about, "aria-required": field.required };
  const grouped = ["boxes", "icon", "picture", "files", "tree", "rules", "schedule", "caps", "prices"].includes(field.kind);
  const Label = grouped ? "span" : "label";
  const label = field.text ?? t(field.label);
  if (field.bare) shared["aria-label"] = label;
  return (
    <div className={`ll-field${field.wide ? " ll-field-wide" : ""}${error && !marksItself ? " ll-field-wrong" : ""}`}>
      {!field.bare && (
        <Label className="ll-label" id={`${id}-label`} htmlFor={grouped ? undefined : id}>
          {label}
          {field.required && (
            <i aria-hidden="true" className="ll-required">
              *
            </i>
          )}
        </Label>
      )}
      <Input field={field} form={form} onBusy={onBusy} shared={shared} />
      {field.hint && (
        <p className="ll-hint" id={`${id}-hint`}>
          {t(field.hint)}
        </p>
      )}
      {message !== undefined && (
        <p className="ll-error" id={`${id}-error`} role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

type Shared = {
  id: string;
  "aria-label"?: string;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
  "aria-required": boolean | undefined;
};

function Input({ field, form, onBusy, shared }: ControlProps & { shared: Shared }) {
  const t = useT();
  const registered = form.register(field.name);
  const props = {
    ...shared,
    ...registered,
    // Runs before the check of the field on blur, so that the check gets the text that is shown.
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const typed = form.getValues(field.name);
      const text = typeof typed === "string" ? inOneForm(field, typed) : typed;
      if (text !== typed && text !== undefined) form.setValue(field.name, text, { shouldDirty: true });
      return registered.onBlur(event);
    },
    // For the server's HTML; once scripts run, the form holds the value.
    defaultValue: form.formState.defaultValues?.[field.name] as string | undefined,
    className: "ll-input",
    placeholder: field.placeholder,
  };
  switch (field.kind) {
    case "text":
      return (
        <input {...props} type={field.type ?? "text"} readOnly={field.fixed} autoComplete={field.type === "tel" ? "tel-national" : "off"} />
      );
    case "area":
      return <textarea {...props} rows={3} readOnly={field.fixed} />;
    case "lines":
      return <textarea {...props} rows={3} readOnly={field.fixed} spellCheck={false} />;
    case "money":
    case "percent":
      return (
        <span className="ll-affix">
          <input {...props} inputMode="decimal" readOnly={field.fixed} autoComplete="off" />
          <span aria-hidden="true">{field.kind === "money" ? t("ui.yuan") : "%"}</span>
        </span>
      );
    case "integer":
      return (
        <span className="ll-affix">
          <input {...props} inputMode="numeric" readOnly={field.fixed} autoComplete="off" />
          {(field.unitText || field.unit) && <span aria-hidden="true">{field.unitText ?? (field.unit && t(field.unit))}</span>}
        </span>
      );
    case "date":
    case "moment": {
      const { placeholder: _, ...own } = props;
      const pick = (text: string) => form.setValue(field.name, text, { shouldDirty: true, shouldValidate: true });
      return <DayInput {...own} withTime={field.kind === "moment"} readOnly={field.fixed} onPick={pick} />;
    }
    case "time":
      return <input {...props} type="time" readOnly={field.fixed} />;
    case "select":
      if (field.create && field.choices.every(({ value }) => value === ""))
        return <WithNew field={field} form={form} onBusy={onBusy} shared={shared} />;
      if (field.search !== undefined) return <Searched field={field} form={form} shared={shared} search={field.search} />;
      return (
        <select {...props}>
          {field.empty && <option value="">{t(field.empty)}</option>}
          <Options choices={field.choices} />
        </select>
      );
    case "flag":
      return <Flag field={field} form={form} shared={shared} />;
    case "dependent":
      return <Dependent field={field} form={form} shared={shared} />;
    case "boxes":
      if (field.create && field.choices.length === 0) return <WithNew field={field} form={form} onBusy={onBusy} shared={shared} />;
      return <Boxes field={field} form={form} shared={shared} />;
    case "several":
      return <Several field={field} form={form} shared={shared} />;
    case "icon":
      return <Icons field={field} form={form} shared={shared} />;
    case "picture":
      return <Picture field={field} form={form} onBusy={onBusy} />;
    case "files":
      return <Files field={field} form={form} onBusy={onBusy} />;
    case "tree":
      return <Tree field={field} form={form} shared={shared} />;
    case "rules":
    case "schedule":
    case "caps":
    case "prices":
      return <Terms field={field} form={form} shared={shared} />;
  }
}

/** A part whose code is loaded when it is shown; the server, which waits for nothing, renders `fallback`. */
function Later({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useIsHydrated() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}

function Options({ choices }: { choices: readonly Choice[] }) {
  return choices.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** The record that was made for a field, which the field then holds. */
function useMade<Made extends Choice>(form: UseFormReturn<Inputs>, name: string, several = false) {
  const [made, setMade] = useState<Made>();
  // After the render that has its option.
  useEffect(() => {
    if (!made) return;
    const value = String(made.value);
    form.setValue(name, several ? [value] : value, { shouldDirty: true, shouldValidate: true });
  }, [form, name, made, several]);
  return [made, setMade] as const;
}

/** A select or a group of boxes without choices, with the button that makes one. */
function WithNew({ field, form, onBusy, shared }: ControlProps<Extract<FormField, { kind: "select" | "boxes" }>> & { shared: Shared }) {
  const { create, ...plain } = field;
  const [made, setMade] = useMade<Choice>(form, field.name, field.kind === "boxes");
  return (
    <>
      <Input field={{ ...plain, choices: made ? [made] : [] }} form={form} onBusy={onBusy} shared={shared} />
      {create && (
        <Later fallback={null}>
          <NoneYet create={create} onMade={setMade} />
        </Later>
      )}
    </>
  );
}

/** A select with many choices and a search. */
function Searched({
  field,
  form,
  shared,
  search,
}: InputProps<Extract<FormField, { kind: "select" }>> & { shared: Shared; search: Search }) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  return (
    <SearchSelect
      {...shared}
      className="ll-input"
      ref={input.ref}
      name={field.name}
      value={String(input.value ?? "")}
      choices={field.choices}
      search={search}
      empty={field.empty && t(field.empty)}
      onChange={input.onChange}
      onBlur={input.onBlur}
    />
  );
}

/** A select whose choices depend on another field; when that changes, the value of this one is dropped. */
function Dependent({ field, form, shared }: InputProps<Extract<FormField, { kind: "dependent" }>> & { shared: Shared }) {
  const t = useT();
  const { on, load, chosen, name, create } = field;
  const parent = String(useWatch({ control: form.control, name: on }) ?? "");
  const [loaded, setLoaded] = useState<{ parent: string; choices: readonly Choice[] }>();
  const ready = loaded?.parent === parent;
  const [lastMade, setMade] = useMade<Choice & { parent: string }>(form, name);
  const made = lastMade?.parent === parent ? lastMade : undefined;

  useEffect(() => {
    if (parent === "") return;
    let current = true;
    load(parent).then(
      (choices) => current && setLoaded({ parent, choices }),
      () => current && setLoaded({ parent, choices: [] }), // the client shows why
    );
    return () => {
      current = false;
    };
  }, [parent, load]);

  // Clears a value that the new parent does not offer.
  useEffect(() => {
    const value = form.getValues(name);
    const offered =
      parent !== "" && (!ready || value === String(made?.value) || loaded.choices.some((choice) => String(choice.value) === value));
    if (value && !offered) form.setValue(name, "", { shouldDirty: true });
  }, [form, name, parent, ready, loaded, made]);

  // Controlled, because the options load later than the value.
  const { field: input } = useController({ control: form.control, name });
  const isEmpty = ready && loaded.choices.length === 0;
  const choices = parent === "" ? [] : ready ? (isEmpty && made ? [made] : loaded.choices) : chosen ? [chosen] : [];
  return (
    <>
      <select {...shared} {...input} className="ll-input" disabled={parent === ""} aria-busy={!ready && parent !== ""}>
        <option value="">{t(field.empty)}</option>
        <Options choices={choices} />
      </select>
      {create && isEmpty && (
        <Later fallback={null}>
          <NoneYet create={create} parent={parent} onMade={(choice) => setMade({ ...choice, parent })} />
        </Later>
      )}
    </>
  );
}

/** A switch, and beside it what it says. */
function Flag({ field, form, shared }: InputProps<Extract<FormField, { kind: "flag" }>> & { shared: Shared }) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  const isOn = input.value === "true";
  return (
    <span className="ll-check">
      <input
        {...shared}
        ref={input.ref}
        type="checkbox"
        role="switch"
        className="ll-switch"
        name={field.name}
        checked={isOn}
        disabled={field.fixed}
        onBlur={input.onBlur}
        onChange={({ target }) => input.onChange(String(target.checked))}
      />
      <label htmlFor={shared.id} aria-hidden="true">
        {t(isOn ? "ui.yes" : "ui.no")}
      </label>
    </span>
  );
}

/** A group of boxes: any number of choices. */
function Boxes({ field, form, shared }: InputProps<Extract<FormField, { kind: "boxes" }>> & { shared: Shared }) {
  const { field: input } = useController({ control: form.control, name: field.name });
  const chosen = Array.isArray(input.value) ? input.value : [];
  const { id, ...aria } = shared;
  return (
    <div className="ll-boxes" role="group" aria-labelledby={`${id}-label`} aria-describedby={aria["aria-describedby"]}>
      {field.choices.map(({ value, label }, index) => (
        <label key={value} className="ll-check">
          <input
            ref={index === 0 ? input.ref : undefined}
            type="checkbox"
            checked={chosen.includes(String(value))}
            onBlur={input.onBlur}
            onChange={({ target }) =>
              input.onChange(target.checked ? [...chosen, String(value)] : chosen.filter((one) => one !== String(value)))
            }
          />
          {label}
        </label>
      ))}
    </div>
  );
}

/** Several choices among many. */
function Several({ field, form, shared }: InputProps<Extract<FormField, { kind: "several" }>> & { shared: Shared }) {
  const { field: input } = useController({ control: form.control, name: field.name });
  return (
    <SeveralSelect
      {...shared}
      className="ll-input"
      ref={input.ref}
      labelledBy={`${shared.id}-label`}
      chosen={Array.isArray(input.value) ? input.value : []}
      choices={field.choices}
      search={field.search}
      expand={field.expand}
      onChange={input.onChange}
      onBlur={input.onBlur}
    />
  );
}

/** A choice of one icon; each is labelled with what it shows. */
function Icons({ field, form, shared }: InputProps<Extract<FormField, { kind: "icon" }>> & { shared: Shared }) {
  const t = useT();
  return (
    <div className="ll-icons" role="radiogroup" aria-labelledby={`${shared.id}-label`} aria-describedby={shared["aria-describedby"]}>
      {["" as const, ...field.icons].map((icon) => (
        <label key={icon} title={icon || t("ui.noIcon")}>
          <input type="radio" value={icon} aria-label={icon || t("ui.noIcon")} {...form.register(field.name)} />
          <Icon name={icon || "minus"} />
        </label>
      ))}
    </div>
  );
}

/** One uploaded picture; for the picture of a record, the form has only the id. */
function Picture({ field, form, onBusy }: ControlProps<Extract<FormField, { kind: "picture" }>>) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  const [uploaded, setUploaded] = useState<readonly StoredFile[]>([]);
  const id = Number(input.value);
  const stored = { id, name: t(field.label), size: 0, mime: "image/png", url: `/files/${id}` };
  return (
    <Later fallback={<p className="ll-quiet">{t("ui.loading")}</p>}>
      <Upload
        label={t(field.label)}
        bizType={field.bizType}
        pictures
        onBusy={(busy) => onBusy(field.name, busy)}
        files={id > 0 ? [uploaded.find((file) => file.id === id) ?? stored] : []}
        onChange={(files) => {
          setUploaded((all) => [...all, ...files]);
          input.onChange(files[0] ? String(files[0].id) : "");
        }}
      />
    </Later>
  );
}

/** Uploaded files, some of which the record may have already. */
function Files({ field, form, onBusy }: ControlProps<Extract<FormField, { kind: "files" }>>) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  const [known, setKnown] = useState(field.stored);
  const ids = Array.isArray(input.value) ? input.value.map(Number) : [];
  return (
    <Later fallback={<p className="ll-quiet">{t("ui.loading")}</p>}>
      <Upload
        label={t(field.label)}
        bizType={field.bizType}
        max={field.max}
        onBusy={(busy) => onBusy(field.name, busy)}
        files={ids.flatMap((id) => known.find((file) => file.id === id) ?? [])}
        onChange={(files) => {
          setKnown((all) => [...all, ...files]);
          input.onChange(files.map(({ id }) => String(id)));
        }}
      />
    </Later>
  );
}

/** A tree with boxes: any number of its leaves. */
function Tree({ field, form, shared }: InputProps<Extract<FormField, { kind: "tree" }>> & { shared: Shared }) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  const ticked = Array.isArray(input.value) ? input.value.map(Number) : [];
  return (
    <Later fallback={<p className="ll-quiet">{t("ui.loading")}</p>}>
      <CheckTree
        ref={input.ref}
        nodes={field.nodes}
        ticked={new Set(ticked)}
        onChange={(ids) => input.onChange(ids.map(String))}
        onBlur={input.onBlur}
        labelledBy={`${shared.id}-label`}
        describedBy={shared["aria-describedby"]}
      />
    </Later>
  );
}

/** Terms in the editor of their kind. */
function Terms({ field, form, shared }: InputProps<Extract<FormField, { kind: TermsKind }>> & { shared: Shared }) {
  const t = useT();
  const { field: input } = useController({ control: form.control, name: field.name });
  const Editor = termsEditors[field.kind];
  return (
    <Later fallback={<p className="ll-quiet">{t("ui.loading")}</p>}>
      {/* Gets the focus when the value is refused. */}
      <div ref={input.ref} tabIndex={-1}>
        <Editor
          text={String(input.value ?? "")}
          onChange={input.onChange}
          onBlur={input.onBlur}
          labelledBy={`${shared.id}-label`}
          describedBy={shared["aria-describedby"]}
          fixed={field.fixed}
          tried={form.formState.errors[field.name] !== undefined}
          of={field.of}
        />
      </div>
    </Later>
  );
}
