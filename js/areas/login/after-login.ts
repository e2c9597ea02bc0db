/** Where a login leads. */

import { addressOf, findRoute } from "../../shell/routes";

/** Where the server sends everyone on to their own first page. */
const START = "/";

/**
 * The address of the route that was asked for, with its parameters and its query; the start when none was, or when the
 * name is no route of ours with an address of its own.
 */
export function pageAfterLogin(redirect: string, query: Readonly<Record<string, string>>): string {
  const route = findRoute(redirect);
  return (route && !route.isBare && addressOf(route, query)) || START;
}
