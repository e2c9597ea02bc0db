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
  return (key, params) => {
    const text = messages[key];
    return params ? text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place)) : text;
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
