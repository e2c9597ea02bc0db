/** Texts inside HTML that is written as text. */

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const SIGNS = /[&<>"']/;

/** A text for the inside of an element or of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return SIGNS.test(text) ? text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!) : text;
}
