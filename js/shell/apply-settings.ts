/** Applies to the page the settings that style sheets use: colour, menu width, colour weakness. */

import type { Settings } from "../lib/api-types";

let sheet: CSSStyleSheet | undefined;

/** Applies what differs from the previous settings; the server rendered the document with the first ones. */
export async function applySettings(before: Settings, now: Settings): Promise<void> {
  const root = document.documentElement;
  root.toggleAttribute("data-color-weak", now.colorWeak);
  if (before.menuWidth !== now.menuWidth) root.style.setProperty("--menu-width", `${now.menuWidth}px`);
  if (before.themeColor === now.themeColor) return;
  const { themeCss } = await import("../lib/shades");
  if (!sheet) document.adoptedStyleSheets.push((sheet = new CSSStyleSheet()));
  sheet.replaceSync(themeCss(now.themeColor));
}
