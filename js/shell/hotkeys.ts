/** Keys that work on every page: the command palette, the help, the list's first filter and rows, and those of the open page. */

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
      if (event.defaultPrevented || document.querySelector("[role$=dialog][data-open]")) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areKeysOn()) return;
      if (event.key === "?") latest.current.help();
      else if (event.key === "/") focusFilter();
      else {
        if (event.shiftKey) return;
        const key = event.key.toLowerCase();
        const shortcut = event.repeat ? undefined : pageShortcuts().find((one) => one.key === key);
        if (shortcut) shortcut.run();
        else if (isForRows(key, event.target)) void pressInRows(key);
        else return;
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

/** The rows of lists. */
const ROWS = "main .ll-table > tbody > tr";

/** Whether a key moves among rows, ticks the one that has the focus, or opens it. */
function isForRows(key: string, target: EventTarget | null): boolean {
  if (key === "j" || key === "k") return document.querySelector(ROWS) !== null;
  if (!(target instanceof Element)) return false;
  return key === "x" ? target.closest(ROWS) !== null : key === "enter" && target.matches(ROWS);
}

async function pressInRows(key: string): Promise<void> {
  const { press } = await import("../ui/row-keys");
  press(key, document.querySelectorAll<HTMLElement>(ROWS));
}

function focusFilter(): void {
  document.querySelector<HTMLInputElement>("main form[method=get] input")?.focus();
}
