/**
 * All pages of the product, and where the browser finds their code and their texts. It is loaded when it is first needed, as a
 * rule when the pointer or the focus reaches a link, so that a page pays for no other one.
 */

import { loadPage } from "virtual:pages";
import { loadTexts, textsOf } from "virtual:texts";
import type { Messages } from "../lib/i18n";
import type { Page } from "../lib/router";
import type { Site } from "../lib/site";
import type { Locale } from "../lib/types";
import { admit, runLoads, tableMenu } from "../shell/loads";
import { addressOf, findRoute, headOf, pageAt, type PageRoute } from "../shell/routes";

/** What `loadSite` loads. */
export const site: Site = {
  openPage,
  textsOf: loadTextsOf,
  tableMenu,
  addressOf(name, query) {
    const route = findRoute(name);
    return route && !route.isBare ? addressOf(route, query) : null;
  },
};

async function openPage(...[location, signal, props, messages]: Parameters<Site["openPage"]>): ReturnType<Site["openPage"]> {
  const found = pageAt(location.pathname);
  if (!found || found.route.isDocument) return "elsewhere";
  const { route, params } = found;
  const page = { name: route.name, head: headOf(route, props.locale) };
  const failed = (failure: 404 | 500): Page => ({ ...page, Component: Nothing, data: {}, failure });
  const verdict = admit(route, params, location, props);
  if (verdict === "left") return "left";
  if (verdict === "missing") return failed(404);
  try {
    const [Component, data] = await Promise.all([codeOf(route, props.locale, messages), runLoads(route, params, location, signal)]);
    return { ...page, Component, data, failure: null };
  } catch (error) {
    if (!signal.aborted) console.error(error);
    return failed(500);
  }
}

/** Loads the code of a page together with the texts that it and its area name. */
async function codeOf({ name }: PageRoute, locale: Locale, messages: Messages): Promise<React.ComponentType> {
  const [{ default: Component }, texts] = await Promise.all([loadPage[name]!(), loadTextsOf(name, locale)]);
  Object.assign(messages, texts);
  return Component;
}

async function loadTextsOf(name: string, locale: Locale): Promise<Partial<Messages>> {
  const loaded = await Promise.all((textsOf[name] ?? []).map((catalogue) => loadTexts[locale][catalogue]!()));
  return Object.assign({}, ...loaded.map(({ texts }) => texts)) as Partial<Messages>;
}

const Nothing = () => null;
