/** The props of a SearchSelect and of the combobox that it becomes. */
import type { Ref } from "react";

import type { Choice, Search } from "./form";

export interface SearchSelectProps {
  /** Its name in a form that the browser sends. */
  name?: string | undefined;
  id?: string | undefined;
  className?: string | undefined;
  /** Its name where no label element gives it one. */
  label?: string | undefined;
  /** The value that is chosen, as text; empty for none. */
  value: string;
  /** The first choices, or all of them. */
  choices: readonly Choice[];
  /** The call that searches by `keyword`: "/org/options". Or a function that searches, if all choices are here. */
  search: Search;
  /** The text of no choice; absent: one has to be chosen. */
  empty?: string | undefined;
  /** Called with the value and its choice; empty and null for none. */
  onChange: (value: string, choice: Choice | null) => void;
  onBlur?: (() => void) | undefined;
  ref?: Ref<HTMLElement> | undefined;
  "aria-invalid"?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  "aria-required"?: boolean | undefined;
}

/** Gives an element to a ref of either kind. */
export function setRef(ref: Ref<HTMLElement> | undefined, element: HTMLElement | null): void {
  if (typeof ref === "function") ref(element);
  else if (ref) ref.current = element;
}
