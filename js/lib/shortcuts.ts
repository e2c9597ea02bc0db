/**
 * Keys of one character for the open page, and whether the viewer has them turned on. The page registers them
 * in the browser only; the shell handles them and lists them in its help.
 */
import { useLayoutEffect, useRef } from "react";

/** What a key does on the open page. */
export interface Shortcut {
  /** One letter or digit, small. It works without modifiers, and never while a field has the focus. */
  key: string;
  /** What it does, in the viewer's language. */
  text: string;
  run: () => void;
}

const groups = new Set<{ readonly current: readonly Shortcut[] }>();

/** Registers keys as long as the component is there. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  useLayoutEffect(() => {
    groups.add(latest);
    return () => void groups.delete(latest);
  }, []);
}

/** The keys of the open page. A component is registered after its children, and its keys come first. */
export function pageShortcuts(): readonly Shortcut[] {
  return [...groups].reverse().flatMap(({ current }) => current);
}

const CHOICE = "keys";

/** Whether keys of one character work. */
export function areKeysOn(): boolean {
  return localStorage.getItem(CHOICE) !== "off";
}

/** Turns keys of one character on or off in this browser. */
export function setKeysOn(on: boolean): void {
  localStorage.setItem(CHOICE, on ? "on" : "off");
}
