/**
 * The choices of a select as HTML text: there may be hundreds in the filters of a list, of which React would render and
 * hydrate each.
 */
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";

import { escapeHtml } from "../lib/html";
import type { Choice } from "./form";

/**
 * What a select gets in place of children. It is not a controlled one: the value is set when it changes; when only the
 * choices change, what the viewer has chosen since stays.
 */
export function useOptions(choices: readonly Choice[], value: string, select: RefObject<HTMLSelectElement | null>) {
  const html = choices.map(({ value, label }) => `<option value="${escapeHtml(String(value))}">${escapeHtml(label)}</option>`).join("");
  // React writes the text again only if the object is another.
  const inside = useMemo(() => ({ text: { __html: selected(html, value) }, chosen: select.current?.value }), [html]);
  const last = useRef(value);
  useLayoutEffect(() => {
    const element = select.current;
    if (!element) return;
    element.value = (last.current === value ? inside.chosen : undefined) ?? value;
    if (element.selectedIndex < 0) element.value = value;
    last.current = value;
  }, [select, inside, value]);
  return { dangerouslySetInnerHTML: inside.text, suppressHydrationWarning: true };
}

/** Marks the choice that is shown before scripts run; without a mark that is the first. */
function selected(html: string, value: string): string {
  const option = `<option value="${escapeHtml(value)}"`;
  return html.startsWith(option) ? html : html.replace(`${option}>`, () => `${option} selected>`);
}
