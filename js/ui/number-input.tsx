/** A number in an editor of terms: typed in yuan where it is money. What is no number stays as it was typed, for the check to refuse. */
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
}

export function NumberInput({ value, onChange, label, unit, money = false, fixed }: NumberInputProps) {
  const [typed, setTyped] = useState(() => textOf(value, money));
  // "12." stays while one types; another value from outside is shown instead.
  const shown = numberOf(typed, money) === value ? typed : textOf(value, money);
  return (
    <span className="ll-affix">
      <input
        className="ll-input"
        inputMode={money ? "decimal" : "numeric"}
        autoComplete="off"
        aria-label={label}
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

/** What is typed as the wire wants it; what is no number stays a text. */
export function numberOf(typed: string, money: boolean): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  return (money ? parseMoney(text) : integer(text)) ?? text;
}

function textOf(value: unknown, money: boolean): string {
  if (typeof value !== "number") return typeof value === "string" ? value : "";
  return money ? moneyInput(value).replace(/\.00$/, "") : String(value);
}
