/** Numbers in texts of the chat that may lead to an application: phones, shown masked or whole, and numbers of applicants and deliveries. */

/** A part of a text; one that is a number has the characters before it. */
export interface Part {
  text: string;
  from: number | null;
}

const NUMBERS = /(?<![\d*])1\d\d[-\s]?[\d*]{4}[-\s]?\d{4}(?![\d*])|\b(?:U|PS)\d{8}-[0-9a-z]{4,12}\b/giu;

export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  const add = (to: number) => to > end && parts.push({ text: text.slice(end, to), from: null });
  for (const { 0: number, index } of text.matchAll(NUMBERS)) {
    add(index);
    // The server counts characters, not units of UTF-16.
    parts.push({ text: number, from: Array.from(text.slice(0, index)).length });
    end = index + number.length;
  }
  add(text.length);
  return parts;
}
