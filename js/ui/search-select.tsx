/**
 * A choice among many: a select in the HTML, so that it works before and without JavaScript, which becomes a combobox
 * when it is used. The combobox searches by the call that its choices come from, and is a lazy chunk.
 */
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";

import { useT } from "../lib/i18n";
import { useOptions } from "./options";
import { type SearchSelectProps, setRef } from "./search-select-props";

const loadCombobox = () => import("./combobox");

/** Keys that open a select or look for a choice in it. */
const OPENS = ["ArrowDown", "ArrowUp", "Enter", " "];

export function SearchSelect(props: SearchSelectProps) {
  const t = useT();
  const { search, label, value, choices, empty, onChange, ref, ...rest } = props;
  // Not a lazy component: while one loads, the focus and typed keys would be lost.
  const [Combobox, setCombobox] = useState<Awaited<ReturnType<typeof loadCombobox>>["default"]>();
  /** What was typed before the combobox was loaded. */
  const typed = useRef("");
  const select = useRef<HTMLSelectElement>(null);
  const known = value === "" || choices.some((choice) => String(choice.value) === value);

  // All choices would be too many for the HTML: the chosen one is enough until the combobox is loaded.
  const offered = typeof search === "string" ? choices : choices.filter((choice) => String(choice.value) === value);

  const options = useOptions(
    [
      ...(empty !== undefined || value === "" ? [{ value: "", label: empty ?? t("ui.rule.choose") }] : []),
      ...(known ? [] : [{ value, label: typeof search === "string" ? `#${value}` : value }]),
      ...offered,
    ],
    value,
    select,
  );

  const open = () => {
    loadCombobox().then(
      (loaded) => setCombobox(() => loaded.default),
      () => undefined, // the select goes on working
    );
  };
  const press = (event: MouseEvent<HTMLSelectElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    // With the focus, the select keeps what is typed before the combobox is loaded.
    event.currentTarget.focus();
    open();
  };
  const key = (event: KeyboardEvent) => {
    const types = event.key.length === 1 && event.key !== " ";
    if (event.ctrlKey || event.metaKey || event.altKey || (!types && !OPENS.includes(event.key))) return;
    event.preventDefault();
    if (types) typed.current += event.key;
    open();
  };

  if (Combobox) return <Combobox {...props} typed={typed} />;
  return (
    <select
      {...rest}
      ref={(element) => {
        select.current = element;
        setRef(ref, element);
      }}
      aria-label={label}
      {...options}
      onChange={({ target }) => onChange(target.value, choices.find((choice) => String(choice.value) === target.value) ?? null)}
      onFocus={() => void loadCombobox().catch(() => undefined)}
      onMouseDown={press}
      onKeyDown={key}
    />
  );
}
