/** The browser's entry: takes the page over where the server left it. */

import { startTransition } from "react";
import { createBrowserRouter, matchRoutes, type NonIndexRouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { loadPage } from "virtual:pages";
import { createApp } from "../lib/app-context";
import { translator, type Messages } from "../lib/i18n";
import { leaveKeysToInputMethods } from "../lib/keys";
import { takeNote } from "../lib/next-page";
import { setToken } from "../lib/session";
import { notify } from "../lib/toast";
import type { Locale, PageProps } from "../lib/types";
import { Layout } from "../shell/layout";
import { followLeads } from "../shell/lead-start";
import { loaderOf } from "../shell/loads";
import { accompany, followLinks } from "../shell/navigation";
import { Root } from "../shell/root";
import { RouteError } from "../shell/route-error";
import { findRoute, pageRoutes, type PageRoute } from "../shell/routes";
import { followUnread } from "../shell/unread";
import { keepInHistory } from "../ui/back";

const catalogues: Record<Locale, () => Promise<{ messages: Messages }>> = {
  "zh-CN": () => import("../locales/zh-CN/index"),
  "en-US": () => import("../locales/en-US/index"),
};

void start(JSON.parse(document.getElementById("props")!.textContent) as PageProps);

async function start(props: PageProps): Promise<void> {
  const shown = findRoute(props.route);
  const load = shown && loadPage[shown.name];
  if (!load) throw new Error(`routes.json has no page named ${props.route}`);
  const [{ messages }, { default: Component }, { createRoot, hydrateRoot }] = await Promise.all([
    catalogues[props.locale](),
    load(),
    // A part of its own, so that a slow machine takes a breath between the two large ones.
    import("react-dom/client"),
  ]);

  if (props.token) setToken(props.token);
  const t = translator(messages);
  keepInHistory();
  leaveKeysToInputMethods();
  const { routes, opensHere } = buildRoutes(props, shown, Component);
  // The router cannot read an address with a line end: such a page stays as the server has drawn it.
  if (!matchRoutes(routes, location.pathname)) return;
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: { [shown.name]: props.data } } });
  const context = createApp(props, t);
  const app = (
    <Root app={context}>
      <RouterProvider router={router} />
    </Root>
  );

  const root = document.getElementById("root")!;
  if (document.documentElement.dataset["render"] === "shell") createRoot(root).render(app);
  else startTransition(() => void hydrateRoot(root, app));

  accompany(router);
  if (props.viewer) {
    followLinks(router, opensHere);
    followLeads(context);
    if (!props.viewer.mustChangePwd) followUnread();
  }
  const note = takeNote() ?? (props.token ? "login.success" : undefined);
  if (note) notify("success", t(note));
}

/**
 * The routes of the product, with the page that the server has chosen in the place of the one that
 * its address names: they differ when the viewer may not open it or it failed. Links to such a page
 * are left to the browser, so that the server decides anew.
 */
function buildRoutes(props: PageProps, shown: PageRoute, Component: React.ComponentType) {
  const first: NonIndexRouteObject = { id: shown.name, path: shown.path ?? "*", Component, errorElement: <RouteError /> };
  const pages = pageRoutes.flatMap((route) => (route.path === null || route.isBare ? [] : [pageObject(route, route.path, props)]));
  const asked = matchRoutes(pages, location.pathname)?.at(-1)?.route;

  let children: NonIndexRouteObject[];
  if (asked?.id === shown.name) {
    children = pages.map((page) => (page === asked ? { ...first, loader: asked.loader } : page));
  } else {
    children = [...pages.filter((page) => page !== asked), { ...first, path: asked?.path ?? first.path }];
  }
  const open = children.filter(({ id }) => id !== shown.name || asked?.id === shown.name);
  const routes: NonIndexRouteObject[] = shown.isBare ? [first] : [{ id: "layout", Component: Layout, children }];
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
    lazy: { Component: async () => (await loadPage[route.name]!()).default },
    errorElement: <RouteError />,
  };
}
