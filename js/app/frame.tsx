/** The pages in the layout: the one that the server has chosen, those that links open, and what runs beside them. */

import { loadPage } from "virtual:pages";
import { loadTexts, textsOf } from "virtual:texts";
import { STRANGER, type App } from "../lib/app-context";
import type { Messages } from "../lib/i18n";
import { loadRoleData } from "../lib/role-data";
import { createRouter, type Page, type PageLocation } from "../lib/router";
import type { Locale, OwnProps, PageProps } from "../lib/types";
import { Routed } from "../shell/framed";
import { followLeads } from "../shell/lead-start";
import { admit, runLoads } from "../shell/loads";
import { accompany, followLinks } from "../shell/navigation";
import { roleOf } from "../shell/role";
import { findRoute, pageAt, type PageRoute, type Parameters } from "../shell/routes";
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
  // At the current address is the page that the server has chosen. If that is not the page of the address, because the
  // viewer may not open it or it failed, the browser loads it as a document, so that the server decides again.
  const requested = pageAt(location.pathname)?.route;
  const find = (pathname: string) => {
    const found = pageAt(pathname);
    return found?.route === requested && requested !== shown ? null : found;
  };
  const opens = (pathname: string) => find(pathname) !== null;
  const first = { name: shown.name, Component, data: props.data, failure: null };
  const router = createRouter(first, {
    opens,
    load: async (location, signal) => {
      const { route, params } = find(location.pathname)!;
      return openPage(route, params, location, signal, props);
    },
  });
  return {
    below: <Routed router={router} />,
    follow() {
      accompany(router);
      if (!props.viewer) return;
      followLinks(router, opens);
      followLeads(app);
      if (!props.viewer.mustChangePwd) followUnread();
    },
  };
}

/** Loads code and data of a page side by side; null if the browser loads a document instead. */
async function openPage(
  route: PageRoute,
  params: Parameters,
  location: PageLocation,
  signal: AbortSignal,
  props: PageProps,
): Promise<Page | null> {
  const { name } = route;
  const failed = (failure: 404 | 500): Page => ({ name, Component: Nothing, data: {}, failure });
  const verdict = admit(route, params, location, props);
  if (verdict === "elsewhere") return null;
  if (verdict === "missing") return failed(404);
  try {
    const [Component, data] = await Promise.all([load(route, props.locale), runLoads(route, params, location, signal)]);
    return { name, Component, data, failure: null };
  } catch (error) {
    if (!signal.aborted) console.error(error);
    return failed(500);
  }
}

const Nothing = () => null;
