/**
 * A user's own settings: language, theme and the kind of device. The browser keeps each
 * in local storage, and language and theme in cookies too, so that the server renders with them.
 */

import type { Locale, Theme } from "./types";
import { loadAnew } from "./leave-document";
import { leaveNote } from "./next-page";

/** At this width of the page and below, the menu is a drawer. */
export const NARROW_PX = 900;

const YEAR_S = 365 * 24 * 3600;

/** The theme on the page now. The page, not React, holds it: CSS alone reacts to it. */
export function currentTheme(): Theme {
  return document.body.hasAttribute("dark") ? "dark" : "light";
}

/** Changes the theme at once and for later visits. */
export function setTheme(theme: Theme): void {
  document.body.toggleAttribute("dark", theme === "dark");
  document.documentElement.dataset["theme"] = theme;
  remember("theme", theme);
}

/** Changes the language: the page is rendered again, since a document loads texts of one language only. */
export function setLocale(locale: Locale): void {
  remember("locale", locale);
  leaveNote("shell.languageChanged");
  loadAnew();
}

/** Notes in local storage whether this is a narrow screen, now and whenever that changes. */
export function watchDevice(): () => void {
  const narrow = matchMedia(`(max-width: ${NARROW_PX}px)`);
  const note = () => localStorage.setItem("device", narrow.matches ? "phone" : "pc");
  note();
  narrow.addEventListener("change", note);
  return () => narrow.removeEventListener("change", note);
}

function remember(name: string, value: string): void {
  localStorage.setItem(name, value);
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
}
