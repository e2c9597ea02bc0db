/** The pages in the layout: the one that the server has chosen, those that links open, and what runs beside them. */

import { createBrowserRouter, matchRoutes, type NonIndexRouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { loadPage } from "virtual:pages";
import { loadTexts, textsOf } from "virtual:texts";
import { STRANGER, type App } from "../lib/app-context";
import type { Messages } from "../lib/i18n";
import { loadRoleData } from "../lib/role-data";
import type { Locale, OwnProps, PageProps } from "../lib/types";
import { Layout } from "../shell/layout";
import { followLeads } from "../shell/lead-start";
import { loaderOf } from "../shell/loads";
import { accompany, followLinks } from "../shell/navigation";
import { roleOf } from "../shell/role";
import { RouteError } from "../shell/route-error";
import { findRoute, pageRoutes, type PageRoute } from "../shell/routes";
import { followUnread } from "../shell/unread";
import type { Opened } from "./opened";

/** The texts of the pages that were loaded. */
const messages = {} as Messages;

export async function open({ route, locale, roleData }: OwnProps): Promise<Opened> {
  const shown = findRoute(route);
  if (!shown) throw new Error(`routes.json has no page named ${route}`);
  const [Component, data] = await Promise.all([load(shown, locale), roleData ? loadRoleData(roleData) : null]);
  return { messages, role: (t) => (data ? roleOf(data, t) : STRANGER), tree: (app) => treeOf(app, shown, Component) };
}

/** Loads the code of a page together with the texts that it and its area name. */
async function load({ name }: PageRoute, locale: Locale): Promise<React.ComponentType> {
  const catalogues = Promise.all((textsOf[name] ?? []).map((catalogue) => loadTexts[locale][catalogue]!()));
  const [{ default: Component }, loaded] = await Promise.all([loadPage[name]!(), catalogues]);
  for (const { texts } of loaded) Object.assign(messages, texts);
  return Component;
}

function treeOf(app: App, shown: PageRoute, Component: React.ComponentType): ReturnType<Opened["tree"]> {
  const { props } = app;
  const { routes, opensHere } = buildRoutes(props, shown, Component);
  // The router does not match an address with a line end: such a page stays as the server has rendered it.
  if (!matchRoutes(routes, location.pathname)) return null;
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: { [shown.name]: props.data } } });
  return {
    below: <RouterProvider router={router} />,
    follow() {
      accompany(router);
      if (!props.viewer) return;
      followLinks(router, opensHere);
      followLeads(app);
      if (!props.viewer.mustChangePwd) followUnread();
    },
  };
}

/**
 * The routes of the product. At the current address is the page that the server has chosen; it is not the one that the
 * address names if the viewer may not open that or it failed. The browser follows links to such a page, so that the
 * server decides again.
 */
function buildRoutes(props: PageProps, shown: PageRoute, Component: React.ComponentType) {
  const first: NonIndexRouteObject = { id: shown.name, path: shown.path ?? "*", Component, errorElement: <RouteError /> };
  const pages = pageRoutes.flatMap((route) => (route.path === null || route.isBare ? [] : [pageObject(route, route.path, props)]));
  const requested = matchRoutes(pages, location.pathname)?.at(-1)?.route;

  let children: NonIndexRouteObject[];
  if (requested?.id === shown.name) {
    children = pages.map((page) => (page === requested ? { ...first, loader: requested.loader } : page));
  } else {
    children = [...pages.filter((page) => page !== requested), { ...first, path: requested?.path ?? first.path }];
  }
  const open = children.filter(({ id }) => id !== shown.name || requested?.id === shown.name);
  const routes: NonIndexRouteObject[] = [{ id: "layout", Component: Layout, children }];
  return {
    routes,
    opensHere: (pathname: string) => matchRoutes(open, pathname) !== null,
  };
}

function pageObject(route: PageRoute, path: string, props: PageProps): NonIndexRouteObject {
  return {
    id: route.name,
    path,
    loader: loaderOf(route, props),
    lazy: { Component: () => load(route, props.locale) },
    errorElement: <RouteError />,
  };
}
