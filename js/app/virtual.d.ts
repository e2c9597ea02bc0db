/**
 * The modules that `virtual.mjs` writes.
 *
 * `virtual:pages`: the pages that the table of routes names, by the name of their route. The server bundle holds every
 * page, the browser gets a lazy chunk for each page. Each of them has the other table empty.
 */
declare module "virtual:pages" {
  import type { ComponentType } from "react";

  /** Server bundle: route name to component. */
  export const pages: Readonly<Record<string, ComponentType>>;
  /** Client bundle: route name to a function that fetches its page's chunk; without the page that `virtual:bare` has. */
  export const loadPage: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>;
}

/** The table of routes, app/routes.json with the routes.json of each area. In browsers without the parts that only the server reads. */
declare module "virtual:routes" {
  export const routes: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The texts. The server bundle and unit tests have all of them at once, the browser gets them in catalogues, each of them
 * a lazy chunk (texts.mjs).
 */
declare module "virtual:texts" {
  type Locale = import("../lib/types").Locale;
  type Messages = import("../lib/messages").Messages;

  /** Server bundle and unit tests: every text. */
  export const texts: Readonly<Record<Locale, Messages>>;
  /** Client bundle: a function for each catalogue, which fetches it. */
  export const loadTexts: Readonly<Record<Locale, Readonly<Record<string, () => Promise<{ texts: Partial<Messages> }>>>>>;
  /** Client bundle: route name to the names of the catalogues that its page needs. */
  export const textsOf: Readonly<Record<string, readonly string[]>>;
}

/** Client bundle: the page without the layout. */
declare module "virtual:bare" {
  export const Page: import("react").ComponentType;
}

/** Client bundle: a function for each language, which fetches the texts of lazy parts. */
declare module "virtual:later" {
  type Locale = import("../lib/types").Locale;
  type Messages = import("../lib/messages").Messages;

  export const loadTexts: Readonly<Record<Locale, () => Promise<{ texts: Partial<Messages> }>>>;
}

/** What each trail.ts of an area and of its records exports as `trail`, in the order of their paths. */
declare module "virtual:trails" {
  export const trails: readonly (AuditTrail | readonly AuditTrail[])[];

  type AuditTrail = import("../ui/audit-trail").AuditTrail;
}

/** Unit tests: what each fields.tsx of a record exports, by its path below areas/, and the Chinese headings of all records. */
declare module "virtual:fields" {
  export const screens: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export const headings: Readonly<Record<string, string>>;
}

declare module "virtual:lists" {
  interface Exported {
    name?: string;
    module?: Readonly<Record<string, unknown>>;
  }
  export const lists: Readonly<Record<string, { fields: Exported; actions: Exported; picks: boolean }>>;
}

/** The sheet of a part that loads later (sheet.mjs). */
declare module "*.css";
