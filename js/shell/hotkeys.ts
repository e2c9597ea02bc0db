/** Keys that work on every page: the command palette, the help, the list's first filter, and those of the open page. */

import { useLayoutEffect, useRef } from "react";
import { areKeysOn, pageShortcuts } from "../lib/shortcuts";

export interface Hotkeys {
  palette: () => void;
  help: () => void;
}

/** Listens while the component is mounted; does nothing while a dialog is open. */
export function useHotkeys(keys: Hotkeys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  // A layout effect, so that keys work from the first paint on: with an effect, a key pressed in between would be lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("[role=dialog][data-open]")) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areKeysOn()) return;
      if (event.key === "?") latest.current.help();
      else if (event.key === "/") focusFilter();
      else {
        const shortcut = event.shiftKey || event.repeat ? undefined : pageShortcuts().find(({ key }) => key === event.key.toLowerCase());
        if (!shortcut) return;
        shortcut.run();
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Inputs that take no characters. */
const UNTYPED = ["radio", "checkbox", "file"];

/** Whether a key is meant for what has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !UNTYPED.includes(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || target.closest("[role=menu], [role=listbox]") !== null;
}

function focusFilter(): void {
  document.querySelector<HTMLInputElement>("main form[method=get] input")?.focus();
}
