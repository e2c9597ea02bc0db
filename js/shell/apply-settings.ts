/** Brings the settings that the style sheets obey to the page: colour, menu width, colour weakness. */

import type { Settings } from "../lib/api-types";

let sheet: CSSStyleSheet | undefined;

/** Applies what differs from the settings before; the document came with the first. */
export async function applySettings(before: Settings, now: Settings): Promise<void> {
  const root = document.documentElement;
  root.toggleAttribute("data-color-weak", now.colorWeak);
  if (before.menuWidth !== now.menuWidth) root.style.setProperty("--menu-width", `${now.menuWidth}px`);
  if (before.themeColor === now.themeColor) return;
  const { themeCss } = await import("../lib/shades");
  if (!sheet) document.adoptedStyleSheets.push((sheet = new CSSStyleSheet()));
  sheet.replaceSync(themeCss(now.themeColor));
}
