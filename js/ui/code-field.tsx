/** A labelled input for a code of an authenticator, or a recovery code where that is taken too. */

import { useId, type Ref } from "react";

import { halfWidth, joined } from "../lib/canonical";

interface CodeFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** Only the six digits of an authenticator. */
  isShort?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function CodeField({ label, hint, error, isShort, ref }: CodeFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={error ? "ll-field ll-field-wrong" : "ll-field"}>
      <label className="ll-label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        className="ll-input ll-mono"
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={isShort ? "numeric" : undefined}
        onBlur={({ target }) => {
          target.value = isShort ? joined(target.value) : halfWidth(target.value).trim();
        }}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <p className={error ? "ll-error" : "ll-hint"} id={`${id}-note`} role={error ? "alert" : undefined}>
          {note}
        </p>
      )}
    </div>
  );
}
