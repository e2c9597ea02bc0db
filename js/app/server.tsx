/**
 * The server's entry: sets `render`, a pure and synchronous function from a page's props, as JSON
 * text, to the HTML of the inside of the root element, and `share`, which makes what pages of a role have in common.
 */

import type { ComponentType } from "react";
import { renderToString } from "react-dom/server.edge";
import { createStaticRouter, matchRoutes, StaticRouterProvider, type DataRouteObject } from "react-router";
import { pages } from "virtual:pages";
import { texts } from "virtual:texts";
import type { Chart } from "../lib/api-types";
import { createApp, STRANGER, type Role } from "../lib/app-context";
import { isBare } from "../lib/bare";
import { translator, type Translate } from "../lib/i18n";
import { themeCss } from "../lib/shades";
import type { Locale, OwnProps, PageProps, RoleData } from "../lib/types";
import { Bare } from "../shell/bare";
import { Layout } from "../shell/layout";
import { roleOf } from "../shell/role";
import { Root } from "../shell/root";
import { pageRoutes, type PageRoute } from "../shell/routes";

const translators: Readonly<Record<Locale, Translate>> = { "zh-CN": translator(texts["zh-CN"]), "en-US": translator(texts["en-US"]) };

/**
 * A tree of routes for each page, with only that page: the guard has chosen the page already, and
 * ranking all routes again would cost more than rendering some pages.
 */
interface Tree {
  routes: DataRouteObject[];
  /** Path of the page if it has no parameters, so that matching needs no pattern. */
  plainPath: string | null;
  /** Whether the page is shown at any address, as "not found" is. */
  isAnywhere: boolean;
}

const trees: ReadonlyMap<string, Tree> = new Map(
  pageRoutes.flatMap((route) => {
    const Component = pages[route.name];
    return Component && !route.isBare ? [[route.name, treeOf(route, Component)]] : [];
  }),
);

function treeOf({ name, path }: PageRoute, Component: ComponentType): Tree {
  const page: DataRouteObject = { id: name, path: path ?? "*", Component };
  return {
    routes: [{ id: "layout", Component: Layout, children: [page] }],
    plainPath: path?.includes(":") ? null : path,
    isAnywhere: path === null,
  };
}

/**
 * The routes from the layout down to the page, as the router would match them. The router's pattern "*" does not match an
 * address with a line end, so a page that is shown at any address is not matched by the router.
 */
function matchesOf({ routes, plainPath, isAnywhere }: Tree, pathname: string) {
  if (!isAnywhere && pathname !== plainPath) return matchRoutes(routes, pathname);
  const top = routes[0]!;
  const path = plainPath ?? "/";
  return [
    { route: top, params: {}, pathname: "/", pathnameBase: "/" },
    { route: top.children![0]!, params: {}, pathname: path, pathnameBase: path },
  ];
}

/** The server's request for the shades of a theme colour, made once if its settings name one. */
interface ShadesRequest {
  shadesOf: string;
}

/** The role of pages that name its key: the server keeps it for them. */
function share(json: string): Role {
  const data = JSON.parse(json) as RoleData;
  return roleOf(data, translators[data.locale]);
}

function render(json: string, role: Role = STRANGER): string {
  const props = JSON.parse(json) as OwnProps | ShadesRequest;
  if ("shadesOf" in props) return themeCss(props.shadesOf);
  const app = { ...createApp(props, translators[props.locale], role), draw: props.noPictures ? undefined : draw };
  return renderToString(<Root app={app}>{isBare(props.route) ? bareTree(props) : framedTree(app.props)}</Root>);
}

/** The page without the layout and the router. */
function bareTree({ route }: OwnProps) {
  const Page = pages[route]!;
  return (
    <Bare>
      <Page />
    </Bare>
  );
}

/** A page in the layout, below a router at the page's address. */
function framedTree(props: PageProps) {
  const tree = trees.get(props.route);
  if (!tree) throw new Error(`routes.json has no page named ${props.route}`);
  const location = locationOf(props.url);
  const matches = matchesOf(tree, location.pathname);
  if (!matches) throw new Error(`the route ${props.route} does not match its address`);
  const context = {
    basename: "/",
    location,
    matches,
    loaderData: { [props.route]: props.data },
    actionData: null,
    errors: null,
    statusCode: props.status,
    loaderHeaders: {},
    actionHeaders: {},
    _match: () => matches,
  };
  return <StaticRouterProvider router={createStaticRouter(tree.routes, context)} context={context} hydrate={false} />;
}

/** By `require`, so that its code is run for the first chart, not at start. */
declare function require(path: "../ui/draw-chart"): typeof import("../ui/draw-chart");

/** Draws a chart; if that fails, the page shows the chart's table. */
function draw(chart: Chart): string {
  try {
    return require("../ui/draw-chart").drawChart(chart);
  } catch (error) {
    console.error(error);
    return "";
  }
}

function locationOf(url: string) {
  const at = url.indexOf("?");
  return {
    pathname: at < 0 ? url : url.slice(0, at),
    search: at < 0 || at === url.length - 1 ? "" : url.slice(at),
    hash: "",
    state: null,
    key: "default",
    mask: undefined,
  };
}

Object.assign(globalThis, { render, share });
