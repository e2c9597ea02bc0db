/**
 * The pages that `routes.json` names, by their `page`. `build.mjs` writes this
 * module for each bundle: the server bundle holds every page, the browser gets
 * a lazy chunk a page. In each of them the other table is empty.
 */
declare module "virtual:pages" {
  import type { ComponentType } from "react";

  /** Server bundle: page name to component. */
  export const pages: Readonly<Record<string, ComponentType>>;
  /** Client bundle: page name to a function that fetches its chunk. */
  export const loadPage: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>;
}
