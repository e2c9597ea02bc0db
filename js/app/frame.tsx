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

/** The texts of the pages and parts that were loaded. */
const messages = {} as Messages;

/** Loads the texts of lazy parts, which wait for them before they run. */
export async function loadLaterTexts(): Promise<void> {
  const { texts } = await loadTexts[document.documentElement.lang as Locale]();
  Object.assign(messages, texts);
}

void startAs("frame", open);

async function open({ route, roleData, settings }: OwnProps, { pages, texts }: Linked): Promise<Opened> {
  const [page] = pages;
  if (!page) throw new Error(`the document links to no module of the page ${route}`);
  Object.assign(messages, ...texts);
  const [data, site] = await Promise.all([roleData ? loadRoleData(roleData) : null, settings.menuFromServer ? null : loadSite()]);
  return {
    messages,
    role: (t) => (data ? roleOf(data, t) : STRANGER),
    tableMenu: site?.tableMenu,
    tree: (app) => treeOf(app, page),
  };
}

function treeOf(app: App, Component: React.ComponentType): ReturnType<Opened["tree"]> {
  const { route: name, head, data, viewer } = app.props;
  const router = createRouter({ name, head, Component, data, failure: null }, async (location, signal) => {
    const { openPage } = await loadSite();
    return openPage(location, signal, app.props, messages);
  });
  return {
    below: <Routed router={router} />,
    follow() {
      accompany(router);
      if (!viewer) return;
      followLinks(router);
      beforeLinks(() => void loadSite());
      followLeads(app);
      if (!viewer.mustChangePwd) followUnread();
    },
  };
}
