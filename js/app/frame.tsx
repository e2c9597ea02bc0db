/** The pages in the layout: the one that the server has chosen, those that links open, and what runs beside them. */

import { STRANGER, type App } from "../lib/app-context";
import { loadRoleData } from "../lib/role-data";
import { createRouter } from "../lib/router";
import { loadSite } from "../lib/site";
import type { OwnProps } from "../lib/types";
import { Routed } from "../shell/framed";
import { followLeads } from "../shell/lead-start";
import { accompany, beforeLinks, followLinks } from "../shell/navigation";
import { roleOf } from "../shell/role";
import { followUnread } from "../shell/unread";
import type { Linked, Opened } from "./opened";

export async function open({ route, roleData, settings }: OwnProps, { pages, texts }: Linked): Promise<Opened> {
  const [page] = pages;
  if (!page) throw new Error(`the document links to no module of the page ${route}`);
  const messages = Object.assign({}, ...texts);
  const [data, site] = await Promise.all([roleData ? loadRoleData(roleData) : null, settings.menuFromServer ? null : loadSite()]);
  return {
    messages,
    role: (t) => (data ? roleOf(data, t) : STRANGER),
    tableMenu: site?.tableMenu,
    tree: (app) => treeOf(app, page, messages),
  };
}

function treeOf(app: App, Component: React.ComponentType, messages: Opened["messages"]): ReturnType<Opened["tree"]> {
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
