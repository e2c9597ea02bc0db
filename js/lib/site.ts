/**
 * The module of all pages (app/site.ts), by its address in the document. No script that a page loads has its name, so these
 * scripts stay the same when a page is added.
 */

import type { TableMenu } from "./app-context";
import type { Messages } from "./messages";
import type { OpenPage, PageLocation } from "./router";
import type { Locale, PageProps } from "./types";

export interface Site {
  /** Loads code, texts and data of the page at an address side by side; `messages` gets the texts. */
  openPage: (location: PageLocation, signal: AbortSignal, props: PageProps, messages: Messages) => ReturnType<OpenPage>;
  /** Loads the texts of a page's area, by the name of its route. */
  textsOf: (route: string, locale: Locale) => Promise<Partial<Messages>>;
  tableMenu: TableMenu;
  /** The address of the page in the layout that a route shows; null if it has none, or `query` lacks a parameter of its path. */
  addressOf: (name: string, query: Readonly<Record<string, string>>) => string | null;
}

export async function loadSite(): Promise<Site> {
  const { site } = document.querySelector<HTMLScriptElement>("script[data-site]")!.dataset;
  const module = (await import(site!)) as { site: Site };
  return module.site;
}
