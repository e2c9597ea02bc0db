/** Several choices among many: the chosen ones, and a combobox that adds another. */
import { type Ref, useState } from "react";

import { useT } from "../lib/i18n";
import { IconButton } from "./button";
import type { Choice, Search } from "./form";
import { SearchSelect } from "./search-select";
import type { SearchSelectProps } from "./search-select-props";

interface SeveralSelectProps extends Omit<SearchSelectProps, "value" | "onChange" | "empty" | "name"> {
  /** The element that names the list of choices. */
  labelledBy?: string | undefined;
  chosen: readonly string[];
  /** The values that a choice stands for: the cities of a province. */
  expand?: ((value: string) => readonly string[]) | undefined;
  onChange: (chosen: string[]) => void;
  ref?: Ref<HTMLElement> | undefined;
}

export function SeveralSelect({ labelledBy, chosen, choices, search, expand, onChange, ...rest }: SeveralSelectProps) {
  const t = useT();
  const [found, setFound] = useState<readonly Choice[]>([]);
  const known = new Map([...choices, ...found].map(({ value, label }) => [String(value), label]));
  const labelled = (value: string) => known.get(value) ?? (typeof search === "string" ? `#${value}` : value);
  const isFree = ({ value }: Choice) => !chosen.includes(String(value));
  const add = (value: string, choice: Choice | null) => {
    if (!choice) return;
    setFound((all) => [...all, choice]);
    onChange([...new Set([...chosen, ...(expand?.(value) ?? [value])])]);
  };
  const searched: Search = typeof search === "string" ? search : (keyword) => search(keyword).filter(isFree);
  return (
    <>
      {chosen.length > 0 && (
        <ul className="ll-chosen" aria-label={rest.label} aria-labelledby={labelledBy}>
          {chosen.map((value) => (
            <li key={value}>
              {labelled(value)}
              <IconButton
                icon="close"
                label={t("ui.removeChoice", { name: labelled(value) })}
                onClick={() => onChange(chosen.filter((one) => one !== value))}
              />
            </li>
          ))}
        </ul>
      )}
      <SearchSelect {...rest} value="" choices={choices.filter(isFree)} search={searched} onChange={add} />
    </>
  );
}
