/** The page after a login. */

import { parseQuery } from "../../lib/query-string";
import { loadSite } from "../../lib/site";

/** The address from which the server redirects users to their first page. */
const START = "/";

/** The page that the address of the login page requests: the name of a route, and the parameters and the query of its page. */
export function askedFor(url: string): { redirect: string; query: Readonly<Record<string, string>> } {
  const at = url.indexOf("?");
  const { redirect = "", ...query } = parseQuery(at < 0 ? "" : url.slice(at));
  return { redirect, query };
}

/**
 * The address of the requested route, with its parameters and its query; the start if no route was requested, or if the
 * name is no route with its own address. The module of all pages is loaded here, because the
 * login page itself does not need it.
 */
export async function pageAfterLogin(redirect: string, query: Readonly<Record<string, string>>): Promise<string> {
  if (redirect === "") return START;
  try {
    const site = await loadSite();
    return site.addressOf(redirect, query) ?? START;
  } catch {
    return START;
  }
}
