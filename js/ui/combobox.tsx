/** The combobox that a SearchSelect becomes. A lazy chunk. */
import { Combobox as Base } from "@base-ui/react/combobox";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

import { api } from "../lib/api";
import { useT } from "../lib/i18n";
import { reported } from "./description";
import type { Choice, Search } from "./form";
import { Icon } from "./icon";
import { type SearchSelectProps, setRef } from "./search-select-props";
import "./menu.css";
import "./combobox.css";

/** The most choices that are shown: users find the others by typing. */
const MOST = 100;
/** A pause in typing this long starts the search. */
const PAUSE_MS = 200;

interface ComboboxProps extends SearchSelectProps {
  /** What was typed until now. */
  typed: RefObject<string>;
}

export default function Combobox({
  typed,
  name,
  id,
  className,
  label,
  value,
  choices,
  search,
  empty,
  onChange,
  onBlur,
  ref,
  ...aria
}: ComboboxProps) {
  const t = useT();
  const box = useRef<HTMLSpanElement>(null);
  /** The container of the list: the filters, the dialog or the page that the field is in; filters and dialogs may be above the page. */
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(true);
  const [keyword, setKeyword] = useState("");
  const found = useFound(search, keyword);
  /** The chosen choice, if the search found it and it is not among the first ones. */
  const [picked, setPicked] = useState<Choice | null>(null);

  const own = choices.find((choice) => String(choice.value) === value) ?? (picked && String(picked.value) === value ? picked : undefined);
  const chosen = value === "" ? null : (own ?? { value, label: typeof search === "string" ? `#${value}` : value });
  const [text, setText] = useState(chosen?.label ?? "");
  const items = keyword === "" ? choices : typeof search === "string" ? merged(choices, found, keyword) : search(keyword);

  // The value differs from the one that is shown: it was set from outside.
  const [last, setLast] = useState(value);
  if (last !== value) {
    setLast(value);
    setText(chosen?.label ?? "");
    setKeyword("");
  }
  useLayoutEffect(() => {
    input.current?.focus();
    if (typed.current === "") return;
    setText(typed.current);
    setKeyword(typed.current);
  }, [typed]);

  return (
    <span
      className="ll-combobox"
      ref={(element) => {
        box.current = element;
        if (element) setPlace(element.closest<HTMLElement>(".ll-filters, .ll-dialog, main"));
      }}
    >
      <Base.Root<Choice>
        items={items}
        filteredItems={items.slice(0, MOST)}
        filter={null}
        name={name}
        value={chosen}
        open={isOpen}
        onOpenChange={setOpen}
        autoHighlight
        inputValue={text}
        isItemEqualToValue={(a, b) => String(a.value) === String(b.value)}
        itemToStringLabel={(choice) => choice.label}
        itemToStringValue={(choice) => String(choice.value)}
        onInputValueChange={(next, { reason }) => {
          setText(next);
          setKeyword(reason === "input-change" ? next.trim() : "");
        }}
        onValueChange={(next) => {
          if (next === null && empty === undefined) return;
          setPicked(next);
          setLast(next === null ? "" : String(next.value));
          onChange(next === null ? "" : String(next.value), next);
        }}
      >
        <Base.Input
          {...aria}
          ref={(element) => {
            input.current = element;
            setRef(ref, element);
          }}
          id={id}
          className={className}
          aria-label={label}
          placeholder={empty ?? t("ui.rule.choose")}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={({ relatedTarget }) => {
            // The library closes the list of its own popup alone.
            if (!box.current?.contains(relatedTarget)) setOpen(false);
            onBlur?.();
          }}
        />
        {chosen && empty !== undefined ? (
          <Base.Clear className="ll-combobox-open" aria-label={t("ui.clearChoice")} tabIndex={-1}>
            <Icon name="close" />
          </Base.Clear>
        ) : (
          <Base.Trigger className="ll-combobox-open" aria-label={t("ui.showChoices")} tabIndex={-1}>
            <Icon name="chevron-down" />
          </Base.Trigger>
        )}
        {isOpen && (
          <Base.Portal container={place}>
            <Base.Positioner className="ll-menu-place" anchor={box} positionMethod="fixed" align="start" sideOffset={4}>
              {/* Not the library's popup: it hides the rest of the page from screen readers, though that can still have the focus. */}
              <div className="ll-menu ll-choices">
                <Base.Empty className="ll-choices-none">{t("ui.treeNothing")}</Base.Empty>
                <Base.List aria-label={label} aria-labelledby={label === undefined && id !== undefined ? `${id}-label` : undefined}>
                  {(choice: Choice) => (
                    <Base.Item key={choice.value} value={choice} className="ll-menu-item">
                      <span>{choice.label}</span>
                      <Base.ItemIndicator className="ll-menu-mark">
                        <Icon name="check" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
                {items.length > MOST && <p className="ll-choices-none">{t("ui.moreChoices", { count: MOST })}</p>}
              </div>
            </Base.Positioner>
          </Base.Portal>
        )}
      </Base.Root>
    </span>
  );
}

/** The result of the call for a keyword, after a pause in typing. */
function useFound(search: Search, keyword: string): readonly Choice[] {
  const [found, setFound] = useState<readonly Choice[]>([]);
  useEffect(() => {
    if (keyword === "" || typeof search !== "string") return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.get<Choice[]>(search, { keyword }, { signal: abort.signal }).then(setFound, (error: unknown) => {
        if (!abort.signal.aborted) reported(error);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [search, keyword]);
  return found;
}

/** The first choices that contain the keyword, then the others that were found. */
function merged(choices: readonly Choice[], found: readonly Choice[], keyword: string): readonly Choice[] {
  const holds = ({ label }: Choice) => label.toLowerCase().includes(keyword.toLowerCase());
  const own = choices.filter(holds);
  const values = new Set(own.map(({ value }) => String(value)));
  return [...own, ...found.filter(({ value }) => !values.has(String(value)))];
}
