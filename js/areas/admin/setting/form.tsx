/** The settings of one group, to be edited together. A lazy chunk. */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";

import type { SettingRow, SettingSection, SettingValue } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { useLeaveGuard } from "../../../ui/leave-guard";
import { useOverlay } from "../../../ui/overlay";
import { hasPreview, PreviewRetention } from "./retention-preview";
import { inputOf, parseInput, same, type SettingInput, valueText } from "./value";
import "./form.css";

const CONFLICT = "1005";

export interface SettingFormProps {
  section: SettingSection;
  /** Closes the form and shows the group again. */
  done: () => void;
}

type Inputs = Readonly<Record<string, SettingInput>>;

const inputsOf = (rows: readonly SettingRow[]): Inputs => Object.fromEntries(rows.map((row) => [row.key, inputOf(row, row.value)]));

export function SettingForm({ section, done }: SettingFormProps) {
  const t = useT();
  const reload = useReload();
  const [overlays, open] = useOverlay();
  const form = useRef<HTMLFormElement>(null);
  const rows = section.settings;
  // The settings when the form was opened, to detect what others have changed since.
  const [seen, setSeen] = useState(rows);
  const [inputs, setInputs] = useState(() => inputsOf(rows));
  const [cleared, setCleared] = useState<ReadonlySet<string>>(new Set());
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState("");
  const [saving, setSaving] = useState(false);

  const unsaved = cleared.size > 0 || seen.some((row) => inputs[row.key] !== inputOf(row, row.value));
  const mayDiscard = useLeaveGuard(unsaved, { open, left: done });

  useEffect(() => {
    form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);

  const type = (key: string, input: SettingInput) => {
    setInputs((all) => ({ ...all, [key]: input }));
    setWrong((all) => Object.fromEntries(Object.entries(all).filter(([name]) => name !== key)));
  };

  const clear = (key: string, isCleared: boolean) => {
    setCleared((all) => new Set(isCleared ? [...all, key] : [...all].filter((one) => one !== key)));
    if (isCleared) type(key, "");
  };

  /** Another person has saved first: loads their values; typed values stay. */
  const meet = async () => {
    await reload();
    setRefusal(t("setting.conflict"));
  };
  // After a reload, inputs that the viewer has not touched take the new values.
  useEffect(() => {
    const changed = rows.filter((row, index) => seen[index]?.version !== row.version);
    if (changed.length === 0 || saving) return;
    setInputs((all) => ({
      ...all,
      ...Object.fromEntries(
        changed.flatMap((row) => {
          const before = seen.find(({ key }) => key === row.key);
          return before && all[row.key] === inputOf(before, before.value) ? [[row.key, inputOf(row, row.value)]] : [];
        }),
      ),
    }));
    setSeen(rows);
  }, [rows, seen, saving]);

  const changes = () => {
    const found: { key: string; value: SettingValue | null; version: number }[] = [];
    const messages: Record<string, string> = {};
    for (const row of rows) {
      const { key, version } = row;
      const input = inputs[key] ?? "";
      if (row.kind === "secret" && input === "") {
        if (cleared.has(key) && row.isSet) found.push({ key, value: null, version });
        continue;
      }
      // Untouched inputs are not sent, even if their stored form differs.
      if (input === inputOf(row, row.value)) continue;
      const parsed = parseInput(row, input, t);
      if ("wrong" in parsed) messages[key] = parsed.wrong;
      else if (row.kind === "secret" || !same(parsed.value, row.value)) {
        found.push({ key, value: same(parsed.value, row.default) ? null : parsed.value, version });
      }
    }
    return { found, messages };
  };

  const show = (messages: Readonly<Record<string, string>>) => {
    setWrong(messages);
    const first = rows.find(({ key }) => messages[key] !== undefined);
    if (first) document.getElementById(idOf(first.key))?.focus();
  };

  const save = async () => {
    if (saving) return;
    setRefusal("");
    const { found, messages } = changes();
    if (Object.keys(messages).length > 0) return show(messages);
    if (found.length === 0) return done();
    setSaving(true);
    try {
      await api.put("/setting", { changes: found });
      await reload();
      notify("success", t("setting.saved"));
      done();
    } catch (error) {
      setSaving(false);
      if (!(error instanceof ApiError)) throw error;
      if (error.code === CONFLICT) return meet();
      show(error.fields);
      if (Object.keys(error.fields).length === 0) setRefusal(error.desc);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const cancel = async () => {
    if (!unsaved || (await mayDiscard())) done();
  };

  return (
    <form ref={form} className="set-form" noValidate onSubmit={submit}>
      {refusal && (
        <p className="ll-alert ll-alert-warning" role="alert">
          <Icon name="warning" />
          {refusal}
        </p>
      )}
      {rows.map((row) => (
        <Control key={row.key} row={row} input={inputs[row.key] ?? ""} wrong={wrong[row.key]} type={(input) => type(row.key, input)}>
          {hasPreview(row.key) && <PreviewRetention name={row.key} days={String(inputs[row.key] ?? "")} />}
          {row.kind === "secret"
            ? row.isSet && (
                <label className="ll-check">
                  <input type="checkbox" checked={cleared.has(row.key)} onChange={({ target }) => clear(row.key, target.checked)} />
                  {t("setting.secretClear")}
                </label>
              )
            : inputs[row.key] !== inputOf(row, row.default) && (
                <Button small look="text" onClick={() => type(row.key, inputOf(row, row.default))}>
                  {t("setting.restore", {
                    value: row.default === "" || same(row.default, []) ? t("setting.empty") : valueText(row, row.default, t),
                  })}
                </Button>
              )}
        </Control>
      ))}
      <footer className="set-foot">
        <Button type="submit" look="primary" busy={saving}>
          {t("ui.save")}
        </Button>
        <Button onClick={() => void cancel()}>{t("ui.cancel")}</Button>
      </footer>
      {overlays}
    </form>
  );
}

const idOf = (key: string) => `set-${key.replace(".", "-")}`;

interface ControlProps {
  row: SettingRow;
  input: SettingInput;
  wrong: string | undefined;
  type: (input: SettingInput) => void;
  /** What can be done with it besides. */
  children: ReactNode;
}

/** One setting's input with its title, its help and its error. */
function Control({ row, input, wrong, type, children }: ControlProps) {
  const id = idOf(row.key);
  return (
    <div className={`set-field${wrong ? " ll-field-wrong" : ""}`}>
      <div>
        {/* With several boxes, the title cannot be the label of one. */}
        {row.kind === "roles" ? <span>{row.title}</span> : <label htmlFor={id}>{row.title}</label>}
        <p className="ll-hint" id={`${id}-hint`}>
          {row.help}
        </p>
      </div>
      <div>
        <Input id={id} row={row} input={input} type={type} isWrong={wrong !== undefined} />
        {wrong && (
          <p className="ll-error" id={`${id}-error`} role="alert">
            {wrong}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

function Input({ id, row, input, type, isWrong }: Pick<ControlProps, "row" | "input" | "type"> & { id: string; isWrong: boolean }) {
  const t = useT();
  const shared = {
    id,
    className: "ll-input",
    "aria-invalid": isWrong || undefined,
    "aria-describedby": isWrong ? `${id}-error ${id}-hint` : `${id}-hint`,
  };
  const text = String(input);
  switch (row.kind) {
    case "bool":
      return (
        <select {...shared} value={input ? "on" : "off"} onChange={({ target }) => type(target.value === "on")}>
          <option value="off">{t("setting.off")}</option>
          <option value="on">{t("setting.on")}</option>
        </select>
      );
    case "choice":
      return (
        <select {...shared} value={text} onChange={({ target }) => type(target.value)}>
          {row.choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      );
    case "list":
      return <textarea {...shared} rows={4} spellCheck={false} value={text} onChange={({ target }) => type(target.value)} />;
    case "roles": {
      const chosen = text.split("\n");
      const codes = (isChosen: (code: string) => boolean) =>
        row.choices.flatMap(({ value }) => (isChosen(value) ? [value] : [])).join("\n");
      return (
        <div className="ll-boxes" role="group" aria-label={row.title} aria-describedby={shared["aria-describedby"]}>
          {row.choices.map(({ value, label }, index) => (
            <label key={value} className="ll-check">
              <input
                id={index === 0 ? id : undefined}
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ target }) => type(codes((one) => (one === value ? target.checked : chosen.includes(one))))}
              />
              {label}
            </label>
          ))}
        </div>
      );
    }
    case "secret":
      return (
        <input
          {...shared}
          type="password"
          autoComplete="off"
          placeholder={row.isSet ? t("setting.secretKeep") : undefined}
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      );
    case "int": {
      const unit = row.unit === "cents" ? t("ui.yuan") : row.unit === "basis_points" ? "%" : row.unit && t(`setting.unit.${row.unit}`);
      return (
        <span className="ll-affix">
          <input
            {...shared}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={({ target }) => type(target.value)}
            onBlur={() => {
              const parsed = parseInput(row, text, t);
              if ("value" in parsed) type(inputOf(row, parsed.value));
            }}
          />
          {unit && <span aria-hidden="true">{unit}</span>}
        </span>
      );
    }
    default:
      return (
        <input
          {...shared}
          type={row.kind === "address" ? "url" : "text"}
          autoComplete="off"
          value={text}
          onChange={({ target }) => type(target.value)}
        />
      );
  }
}
