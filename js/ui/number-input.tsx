/** The input of a number in an editor of terms; money is typed in yuan. A text that is no number stays as typed, and the check refuses it. */
import { useState } from "react";

import { integer } from "../lib/canonical";
import { moneyInput, parseMoney } from "../lib/format";

interface NumberInputProps {
  /** A number, null for none, or what was typed and is no number. */
  value: unknown;
  onChange: (value: number | string | null) => void;
  label: string;
  /** Shown at its end. */
  unit?: string | undefined;
  money?: boolean | undefined;
  fixed?: boolean | undefined;
  wrong?: boolean | undefined;
}

export function NumberInput({ value, onChange, label, unit, money = false, fixed, wrong }: NumberInputProps) {
  const [typed, setTyped] = useState(() => textOf(value, money));
  // "12." stays while it is being typed; a value set from outside replaces it.
  const shown = numberOf(typed, money) === value ? typed : textOf(value, money);
  return (
    <span className={wrong ? "ll-affix ll-field-wrong" : "ll-affix"}>
      <input
        className="ll-input"
        inputMode={money ? "decimal" : "numeric"}
        autoComplete="off"
        aria-label={label}
        aria-invalid={wrong || undefined}
        readOnly={fixed}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(numberOf(target.value, money));
        }}
        onBlur={() => setTyped(textOf(value, money))}
      />
      {unit && <span aria-hidden="true">{unit}</span>}
    </span>
  );
}

/** The typed text as the value that is sent; a text that is no number stays a text. */
export function numberOf(typed: string, money: boolean): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  return (money ? parseMoney(text) : integer(text)) ?? text;
}

function textOf(value: unknown, money: boolean): string {
  if (typeof value !== "number") return typeof value === "string" ? value : "";
  return money ? moneyInput(value).replace(/\.00$/, "") : String(value);
}
