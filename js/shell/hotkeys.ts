/** Keys that work wherever one is: the command palette, the help, the list's first filter. */

import { useLayoutEffect, useRef } from "react";

export interface Hotkeys {
  palette: () => void;
  help: () => void;
}

/** Listens as long as the component is there; with a dialog open only the palette's key counts for nothing. */
export function useHotkeys(keys: Hotkeys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  // With the page's first look, not some time after it: a key that is pressed in between would be lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || document.querySelector("[role=dialog][data-open]")) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        latest.current.palette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") latest.current.help();
      else if (event.key === "/") focusFilter();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Whether a key is meant for what has the focus. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function focusFilter(): void {
  document.querySelector<HTMLInputElement>("main form[method=get] input")?.focus();
}
