/** A labelled password input with its hint and what is wrong with it. */

import { useId, type Ref } from "react";

interface PasswordFieldProps {
  name: string;
  label: string;
  autoComplete: "current-password" | "new-password";
  hint?: string;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function PasswordField({ name, label, autoComplete, hint, error, ref }: PasswordFieldProps) {
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
        className="ll-input"
        type="password"
        name={name}
        autoComplete={autoComplete}
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
