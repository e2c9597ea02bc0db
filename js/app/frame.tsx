/** The pages in the layout: the one that the server has chosen, those that links open, and what runs beside them. */

import { loadTexts } from "virtual:later";
import { STRANGER, type App } from "../lib/app-context";
import type { Messages } from "../lib/i18n";
import { loadRoleData } from "../lib/role-data";
import { createRouter } from "../lib/router";
import { loadSite } from "../lib/site";
import type { Locale, OwnProps } from "../lib/types";
import { Routed } from "../shell/framed";
import { followLeads } from "../shell/lead-start";
import { accompany, beforeLinks, followLinks } from "../shell/navigation";
import { roleOf } from "../shell/role";
import { followUnread } from "../shell/unread";
import { startAs } from "./client";
import type { Linked, Opened } from "./opened";

/** How long to wait before texts are asked for again, in milliseconds. */
const AGAIN_MS = 1000;

/** The texts of the pages and parts that were loaded. */
const messages = {} as Messages;

/** Loads the texts of lazy parts, which wait for them before they run. */
export async function loadLaterTexts(): Promise<void> {
  const load = loadTexts[document.documentElement.lang as Locale];
  // A part that fails once is not loaded again in this document: a short loss of the network must not be the reason.
  const again = async () => {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return load();
  };
  const { texts } = await load().catch(again).catch(again);
  Object.assign(messages, texts);
}

void startAs("frame", open);

async function open({ route, roleData, settings }: OwnProps, { pages, texts }: Linked): Promise<Opened> {
  const [page] = pages;
  if (!page) throw new Error(`the document links to no module of the page ${route}`);
  Object.assign(messages, ...texts);
  const [data, site] = await Promise.all([
    roleData ? loadRoleData(roleData) : null,
    settings.menuFromServer ? null : loadSite().catch(() => null),
  ]);
  return {
    messages,
    role: (t) => (data ? roleOf(data, t) : STRANGER),
    tableMenu: site?.tableMenu,
    tree: (app) => treeOf(app, page),
  };
}

function treeOf(app: App, Component: React.ComponentType): ReturnType<Opened["tree"]> {
  const { route: name, head, data, viewer, url, formError } = app.props;
  // A refused form was sent to another address than that of the page that shows it again.
  if (formError) history.replaceState(history.state, "", url);
  const router = createRouter({ name, head, Component, data, failure: null }, async (location, signal) => {
    const site = await loadSite().catch(() => null);
    if (signal.aborted) return "left";
    if (site) return site.openPage(location, signal, app.props, messages);
    // Without a network the page stays; after a new version was installed, its document has the module.
    return navigator.onLine ? "elsewhere" : "left";
  });
  return {
    below: <Routed router={router} />,
    follow() {
      accompany(router);
      if (!viewer) return;
      followLinks(router);
      beforeLinks(() => void loadSite().catch(() => {}));
      followLeads(app);
      if (!viewer.mustChangePwd) followUnread();
    },
  };
}
