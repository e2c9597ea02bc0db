/** A navigation in the browser: the same guard and the same loads that the server ran for the first page. */

import { envelope, type Method } from "../lib/api";
import { goTo } from "../lib/leave-document";
import { formatQuery, parseQuery } from "../lib/query-string";
import type { PageLocation } from "../lib/router";
import { getToken } from "../lib/session";
import type { MenuNode, PageData, PageProps } from "../lib/types";
import { findRoute, menuOfTable, type PageRoute, type Parameters } from "./routes";
import { findTrail, firstPage } from "./trail";

/**
 * Whether a page may be opened here. Viewers who are not signed in go to the login page, whose address has the route, the
 * parameters of its path and its query; a page that is neither public nor in the viewer's menu, or not for their role, is
 * missing. "left": the browser loads another document.
 */
export function admit(route: PageRoute, params: Parameters, { search }: PageLocation, props: PageProps): "here" | "left" | "missing" {
  if (!route.isPublic) {
    if (getToken() === null) {
      goTo(`/login${formatQuery({ redirect: route.name, ...parseQuery(search), ...params })}`);
      return "left";
    }
    if (!mayOpen(route, props)) {
      const first = fallbackOf(props);
      if (first === null) return "missing";
      goTo(first);
      return "left";
    }
  }
  return "here";
}

/** Whether the viewer's menu or the whitelist has the route, and the role check passes. */
export function mayOpen(route: PageRoute, { menu, viewer }: PageProps): boolean {
  if (route.isPublic) return true;
  const roleFits = route.roles.includes("*") || (viewer !== null && route.roles.includes(viewer.role));
  return roleFits && findTrail(menu, route.name).length > 0;
}

/** Where to go instead of a page that the viewer may not open: without the server's menu, the first page of the role; else null. */
export function fallbackOf(props: PageProps): string | null {
  if (props.settings.menuFromServer) return null;
  return firstPage(tableMenu(props))?.path ?? null;
}

/** The menu from the table of routes: the entries that the viewer may open. */
export const tableMenu = (props: PageProps): readonly MenuNode[] => menuOfTable(props.locale, (name) => opens(name, props));

/** Whether an entry of the route table is in the viewer's menu. */
export function opens(name: string, props: PageProps): boolean {
  const route = findRoute(name);
  return route && !route.isPublic ? mayOpen(route, props) : findTrail(props.menu, name).length > 0;
}

/** Makes the calls of a page's route; rejects only when `signal` is aborted. */
export async function runLoads(route: PageRoute, params: Parameters, { search }: PageLocation, signal: AbortSignal): Promise<PageData> {
  const query = parseQuery(search);
  const loads = Object.entries(route.loads).map(async ([name, call]) => {
    const [method, pattern] = call.split(" ") as [Method, string];
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] || query[name] || "0"));
    // The query filters the page's list; the GET loads beside it, such as choices and records, are not filtered.
    return [name, await envelope(method, path, method === "GET" ? {} : query, { signal })] as const;
  });
  return Object.fromEntries(await Promise.all(loads));
}
