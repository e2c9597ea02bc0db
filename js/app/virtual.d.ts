/**
 * The modules that `virtual.mjs` writes.
 *
 * `virtual:pages`: the pages that `routes.json` names, by the name of their route. The server bundle holds every
 * page, the browser gets a lazy chunk a page. In each of them the other table is empty.
 */
declare module "virtual:pages" {
  import type { ComponentType } from "react";

  /** Server bundle: route name to component. */
  export const pages: Readonly<Record<string, ComponentType>>;
  /** Client bundle: route name to a function that fetches its page's chunk. */
  export const loadPage: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>;
}

/** What each trail.ts of an area and of its records exports as `trail`, in the order of their paths. */
declare module "virtual:trails" {
  export const trails: readonly (AuditTrail | readonly AuditTrail[])[];

  type AuditTrail = import("../ui/audit-trail").AuditTrail;
}
