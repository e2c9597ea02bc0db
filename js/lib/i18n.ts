/**
 * Texts in the viewer's language. The Chinese texts are the set of keys, the English ones must have the same; a browser
 * loads one language only, and of it the catalogues of the pages that it shows (js/app/texts.mjs).
 */

import { useContext } from "react";
import { AppContext } from "./app-context";
import type { Messages, Translate } from "./messages";
import type { Locale } from "./types";

export type { MessageKey, Messages, Translate } from "./messages";

/** Looks texts up in `messages`, to which pages that load later add their own. */
export function translator(messages: Messages): Translate {
  /** Texts cut at their places: a text, the name of a place, the text after it, and so on. */
  const cut = new Map<string, readonly string[]>();
  return (key, params) => {
    const text = messages[key];
    if (!params) return text;
    let parts = cut.get(text);
    if (!parts) cut.set(text, (parts = text.split(/\{(\w+)\}/)));
    let filled = parts[0]!;
    for (let i = 1; i < parts.length; i += 2) filled += `${params[parts[i]!] ?? `{${parts[i]}}`}${parts[i + 1]}`;
    return filled;
  };
}

/** `const t = useT(); t("ui.total", { count: 3 })` */
export function useT(): Translate {
  return useContext(AppContext).t;
}

/** The language of a translator. */
export function localeOf(t: Translate): Locale {
  return t("ui.locale") as Locale;
}

export function useLocale(): Locale {
  return useContext(AppContext).props.locale;
}
