/**
 * The palette: finds, by typing, records that the viewer may open, pages of the viewer's menu and actions of the shell. What was
 * looked at last comes first while nothing is typed. Loaded when it is opened.
 */

import { useCallback, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";
import { useNavigate } from "../lib/visit";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import { find, isBeginning, keyOf, pageEntries, recordEntries, type Entry } from "./palette-search";
import { recentPages, recentRecords, type RecentPage } from "./recent";
import { useSearch } from "./use-search";
import "./palette.css";

interface PaletteProps {
  overlay: Overlay;
  /** Whose records of the last time are shown. */
  owner: string | undefined;
  menu: readonly MenuNode[];
  /** Actions of the shell besides opening pages. */
  actions: readonly Entry[];
}

export default function Palette({ overlay, owner, menu, actions }: PaletteProps) {
  const t = useT();
  const navigate = useNavigate();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  // The entry that was moved to; the first one until then, and where it is not found any more.
  const [movedTo, setMovedTo] = useState<string>();
  const waits = useRef(false);
  const [entries] = useState(() => [
    ...recentEntries(owner, t("palette.recentRecords"), t("palette.recent")),
    ...pageEntries(menu),
    ...actions,
  ]);
  const { groups, isPending, error, retry } = useSearch(typed);
  const found = useMemo(() => {
    const pages = find(entries, typed);
    // A page whose title begins with what was typed is meant more often than a record with such a name.
    const meant = pages.filter((page) => typed.trim() !== "" && isBeginning(page, typed));
    return [...meant, ...recordEntries(groups), ...pages.filter((page) => !meant.includes(page))];
  }, [groups, entries, typed]);
  const at = Math.max(
    found.findIndex((entry) => keyOf(entry) === movedTo),
    0,
  );

  const choose = useCallback(
    (entry: Entry | undefined) => {
      if (!entry) return;
      overlay.close();
      if (entry.address !== undefined) void navigate(entry.address);
      entry.run?.();
    },
    [overlay, navigate],
  );
  // Enter before the answer: chooses the first entry of the answer, not of the one before.
  useEffect(() => {
    if (!waits.current || isPending) return;
    waits.current = false;
    if (error === undefined) choose(found[0]);
  }, [isPending, error, found, choose]);

  const type = (text: string) => {
    setTyped(text);
    setMovedTo(undefined);
    waits.current = false;
  };
  const move = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    if (event.key === "Enter") {
      // Enter that ends the writing of a Chinese word chooses nothing.
      if (event.nativeEvent.isComposing) return;
      if (isPending && movedTo === undefined) waits.current = true;
      else choose(found[at]);
    } else if (to === undefined || found.length === 0) return;
    else setMovedTo(keyOf(found[(to + found.length) % found.length]!));
    event.preventDefault();
  };
  const isEmpty = found.length === 0;

  return (
    <Dialog overlay={overlay} title={t("palette.title")} shape="small" initialFocus={input}>
      <div className="ll-dialog-body app-palette">
        <input
          ref={input}
          type="search"
          className="ll-input"
          role="combobox"
          aria-expanded={!isEmpty}
          aria-controls={list}
          aria-activedescendant={isEmpty ? undefined : `${list}-${at}`}
          aria-autocomplete="list"
          aria-label={t("palette.label")}
          placeholder={t("palette.placeholder")}
          maxLength={64}
          value={typed}
          onChange={({ target }) => type(target.value)}
          onKeyDown={move}
        />
        <ul id={list} role="listbox" aria-label={t("palette.label")} aria-busy={isPending}>
          {found.map((entry, i) => (
            // The focus stays in the input; Enter there chooses.
            <li
              key={keyOf(entry)}
              id={`${list}-${i}`}
              role="option"
              aria-selected={i === at}
              ref={i === at ? (item) => item?.scrollIntoView({ block: "nearest" }) : undefined}
              onPointerMove={() => setMovedTo(keyOf(entry))}
              onClick={() => choose(entry)}
            >
              <span className="app-palette-group">{entry.group}</span>
              <span className="app-palette-title">{entry.title}</span>
              {entry.note !== undefined && <span className="app-palette-note">{entry.note}</span>}
            </li>
          ))}
        </ul>
        <div className="app-palette-state">
          <p role="status" className={isEmpty || isPending || error !== undefined ? undefined : "sr-only"}>
            {status()}
          </p>
          {error !== undefined && !isPending && (
            <button type="button" className="ll-btn ll-btn-text" onClick={retry}>
              {t("ui.retry")}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );

  function status(): string {
    if (isPending) return t("palette.searching");
    if (error !== undefined) return error;
    return isEmpty ? t("palette.none") : t("palette.count", { count: found.length });
  }
}

function recentEntries(owner: string | undefined, record: string, page: string): Entry[] {
  const records = owner === undefined ? [] : recentRecords(owner);
  const pages = recentPages().filter(({ fullPath }) => !records.some((other) => other.fullPath === fullPath));
  const entry = (group: string, { title, fullPath, detail }: RecentPage): Entry => ({
    group,
    title: detail === "" ? title : `${title} · ${detail}`,
    words: fullPath,
    address: fullPath,
  });
  return [...records.map((one) => entry(record, one)), ...pages.map((one) => entry(page, one))];
}
