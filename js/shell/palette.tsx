/**
 * The command palette: finds, by typing, pages of the viewer's menu, recent pages and actions of the shell.
 * Loaded when it is opened.
 */

import { useId, useRef, useState, type KeyboardEvent } from "react";
import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";
import { useNavigate } from "../lib/visit";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import { find, pageEntries, type Entry } from "./palette-search";
import { recentPages } from "./recent";
import "./palette.css";

interface PaletteProps {
  overlay: Overlay;
  menu: readonly MenuNode[];
  /** Actions of the shell besides opening pages. */
  actions: readonly Entry[];
}

export default function Palette({ overlay, menu, actions }: PaletteProps) {
  const t = useT();
  const navigate = useNavigate();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [entries] = useState(() => [...recentEntries(t("palette.recent")), ...pageEntries(menu), ...actions]);
  const found = find(entries, typed);

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    overlay.close();
    if (entry.address !== undefined) void navigate(entry.address);
    entry.run?.();
  };
  const move = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    if (event.key === "Enter") choose(found[at]);
    else if (to === undefined || found.length === 0) return;
    else setAt((to + found.length) % found.length);
    event.preventDefault();
  };

  return (
    <Dialog overlay={overlay} title={t("palette.title")} shape="small" initialFocus={input}>
      <div className="ll-dialog-body app-palette">
        <input
          ref={input}
          type="search"
          className="ll-input"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={t("palette.label")}
          placeholder={t("palette.placeholder")}
          maxLength={64}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={move}
        />
        <ul id={list} role="listbox" aria-label={t("palette.label")}>
          {found.map((entry, i) => (
            // The focus stays in the input; Enter there chooses.
            <li
              key={`${entry.group} ${entry.title} ${entry.address ?? ""}`}
              id={`${list}-${i}`}
              role="option"
              aria-selected={i === at}
              ref={i === at ? (item) => item?.scrollIntoView({ block: "nearest" }) : undefined}
              onPointerMove={() => setAt(i)}
              onClick={() => choose(entry)}
            >
              <span className="app-palette-group">{entry.group}</span>
              <span>{entry.title}</span>
            </li>
          ))}
        </ul>
        <p role="status" className={found.length > 0 ? "sr-only" : "app-palette-none"}>
          {found.length > 0 ? t("palette.count", { count: found.length }) : t("palette.none")}
        </p>
      </div>
    </Dialog>
  );
}

function recentEntries(group: string): Entry[] {
  return recentPages().map(({ title, fullPath, detail }) => ({
    group,
    title: detail === "" ? title : `${title} · ${detail}`,
    words: fullPath,
    address: fullPath,
  }));
}
