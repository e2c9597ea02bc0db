/**
 * Query strings without URLSearchParams, which the server's isolate does not have.
 * Both sides parse alike, so a filter reads the same in HTML and after hydration.
 */

/** "?a=1&b=x+y" to `{a: "1", b: "x y"}`; of a repeated name the last value counts. */
export function parseQuery(search: string): Record<string, string> {
  const query: Record<string, string> = {};
  const text = search.startsWith("?") ? search.slice(1) : search;
  if (text === "") return query;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = at < 0 ? pair : pair.slice(0, at);
    query[decode(name)] = at < 0 ? "" : decode(pair.slice(at + 1));
  }
  return query;
}

/** The reverse, with a leading "?" or nothing at all; empty and missing values are left out. */
export function formatQuery(query: Readonly<Record<string, string | number | null | undefined>>): string {
  let text = "";
  for (const name in query) {
    const value = query[name];
    if (value === null || value === undefined || value === "") continue;
    text += `${text === "" ? "?" : "&"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  }
  return text;
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A lone "%" typed into the address bar is itself.
    return spaced;
  }
}
