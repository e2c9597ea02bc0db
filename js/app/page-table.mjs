// The table of routes and its pages, as the build reads them.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the front end. */
export const js = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The browser's entry, and the modules that start a page with and without the layout. */
export const CLIENT = "app/client.tsx";
export const FRAME = "app/frame.tsx";
export const BARE = "app/bare.tsx";
/** Where the browser finds all pages. Documents name it, so that its name is in no other script: adding a page changes none. */
export const SITE = "app/site.ts";

/** A failure whose message is enough: printed without a stack. */
export class BuildError extends Error {}

/** Whether the page of a route has no layout (as `isBare` of js/lib/bare.ts). */
export const isBare = (route) => route === "login";

/** The file of a page, relative to js/. */
export const fileOf = (page) => `areas/${page}.tsx`;

/** The table of routes: app/routes.json, in which `{ "area": "crm" }` stands for the routes of areas/crm/routes.json. */
export function readRoutes() {
  const read = (file) => JSON.parse(readFileSync(join(js, file), "utf8"));
  return read("app/routes.json").flatMap((entry) => (entry.area ? read(`areas/${entry.area}/routes.json`) : [entry]));
}

/** The table of routes, each before those below it. */
export function allRoutes() {
  const withBelow = (route) => [route, ...(route.children ?? []).flatMap(withBelow)];
  return readRoutes().flatMap(withBelow);
}

/** The routes that show a page, as pairs of their name and the page. `partial` leaves out pages without a file. */
export function pagesByRoute(partial) {
  const found = [];
  const visit = (routes) => {
    for (const { name, page, children } of routes) {
      if (page) found.push([name, page]);
      if (children) visit(children);
    }
  };
  visit(readRoutes());
  const missing = new Set(found.map(([, page]) => page).filter((page) => !existsSync(join(js, fileOf(page)))));
  if (missing.size > 0 && !partial) {
    const files = [...missing].map((page) => `js/${fileOf(page)}`).join(", ");
    throw new BuildError(`the table of routes names pages that have no file: ${files}`);
  }
  return found.filter(([, page]) => !missing.has(page));
}

/** Every `page` of the route table, once each. */
export function pageNames(partial) {
  return [...new Set(pagesByRoute(partial).map(([, page]) => page))];
}
