/**
 * Buttons. `buttonClass` dresses a link as one, for what navigates: a link stays
 * a link, so that it works before and without JavaScript.
 */
import type { ComponentProps, MouseEvent } from "react";

import { Icon, type IconName } from "./icon";

/** `primary`: the one main action. `outline`: the rest. `text`: quiet, in rows. `danger`: destroys. */
export type ButtonLook = "primary" | "outline" | "text" | "danger";

/** The class names of a button's look, for `<a>` and `<summary>` too. */
export function buttonClass(look: ButtonLook = "outline", small = false): string {
  return `ll-btn ll-btn-${look}${small ? " ll-btn-s" : ""}`;
}

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  small?: boolean;
  icon?: IconName;
  /** Work is under way: shows it, and a second press does nothing. */
  busy?: boolean;
}

/**
 * Keeps the focus in the current field while a button of its form is pressed: a field that loses the focus may grow by an
 * error message, and the button would move from under the pointer.
 */
export function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

/** The same for a bar with selectable text beside the buttons. */
export function keepFocusForButtons(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest("button")) keepFocus(event);
}

/** A button; `type` is "button" unless said otherwise. */
export function Button({ look, small, icon, busy, className, children, ...rest }: ButtonProps) {
  const classes = buttonClass(look, small);
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${classes} ${className}` : classes}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
    >
      {busy ? <span className="ll-spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A square button that shows only an icon; `label` is its name and its tooltip. */
export function IconButton({ label, ...rest }: Omit<ButtonProps, "children"> & { label: string; icon: IconName }) {
  return <Button look="text" aria-label={label} title={label} {...rest} className={`ll-btn-icon ${rest.className ?? ""}`} />;
}
