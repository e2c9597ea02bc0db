/** Where a login leads. */

import { parseQuery } from "../../lib/query-string";

/** Where the server sends everyone on to their own first page. */
const START = "/";

/** What the address of the login page asks for: the name of a route, and the parameters and the query of its page. */
export function askedFor(url: string): { redirect: string; query: Readonly<Record<string, string>> } {
  const at = url.indexOf("?");
  const { redirect = "", ...query } = parseQuery(at < 0 ? "" : url.slice(at));
  return { redirect, query };
}

/**
 * The address of the route that was asked for, with its parameters and its query; the start when none was, or when the
 * name is no route with an address of its own. The table of routes is loaded only now: the login page itself
 * needs none of it.
 */
export async function pageAfterLogin(redirect: string, query: Readonly<Record<string, string>>): Promise<string> {
  if (redirect === "") return START;
  try {
    const { addressOf, findRoute } = await import("../../shell/routes");
    const route = findRoute(redirect);
    return (route && !route.isBare && addressOf(route, query)) || START;
  } catch {
    return START;
  }
}
