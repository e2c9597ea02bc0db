/** A navigation in the browser: the same guard and the same loads that the server ran for the first page. */

import { data, redirectDocument, type LoaderFunctionArgs } from "react-router";
import { envelope, type Method } from "../lib/api";
import type { PageData } from "../lib/props";
import { formatQuery, parseQuery } from "../lib/query-string";
import { getToken } from "../lib/session";
import type { PageProps } from "../lib/types";
import { areIds, findRoute, menuOfTable, type PageRoute } from "./routes";
import { findTrail, firstPage } from "./trail";

/**
 * The loader of a route. Viewers who are not signed in go to the login page, whose address has the route, the parameters
 * of its path and its query; a page that is neither public nor in the viewer's menu, or not for their role, is not found.
 */
export function loaderOf(route: PageRoute, props: PageProps) {
  return async ({ request, params }: LoaderFunctionArgs): Promise<PageData> => {
    if (!areIds(params)) throw data(null, { status: 404 });
    const query = parseQuery(new URL(request.url).search);
    if (!route.isPublic) {
      if (getToken() === null) throw redirectDocument(`/login${formatQuery({ redirect: route.name, ...query, ...params })}`);
      if (!mayOpen(route, props)) {
        const first = fallbackOf(props);
        throw first === null ? data(null, { status: 404 }) : redirectDocument(first);
      }
    }
    if (route.isDocument) {
      const { pathname, search } = new URL(request.url);
      throw redirectDocument(pathname + search);
    }
    return runLoads(route, query, params, request.signal);
  };
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
  return firstPage(menuOfTable(props.locale, (name) => opens(name, props)))?.path ?? null;
}

/** Whether an entry of the route table is in the viewer's menu. */
export function opens(name: string, props: PageProps): boolean {
  const route = findRoute(name);
  return route && !route.isPublic ? mayOpen(route, props) : findTrail(props.menu, name).length > 0;
}

async function runLoads(
  route: PageRoute,
  query: Readonly<Record<string, string>>,
  params: LoaderFunctionArgs["params"],
  signal: AbortSignal,
): Promise<PageData> {
  const loads = Object.entries(route.loads).map(async ([name, call]) => {
    const [method, pattern] = call.split(" ") as [Method, string];
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] || query[name] || "0"));
    // The query filters the page's list; the GET loads beside it, such as choices and records, are not filtered.
    return [name, await envelope(method, path, method === "GET" ? {} : query, { signal })] as const;
  });
  return Object.fromEntries(await Promise.all(loads));
}
