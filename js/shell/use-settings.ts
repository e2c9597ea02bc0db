/**
 * The settings of this page: the server's until the drawer changes them, and again
 * after the page is reloaded. The menu depends on them.
 */

import { useCallback, useContext, useMemo, useRef, useState } from "react";
import { envelope } from "../lib/api";
import type { MenuNode as ServerNode, Settings } from "../lib/api-types";
import { AppContext } from "../lib/app-context";
import { loadSite } from "../lib/site";
import type { MenuNode } from "../lib/types";
import { applySettings } from "./apply-settings";

export interface LiveSettings {
  settings: Settings;
  /** What the sider shows. */
  menu: readonly MenuNode[];
  /** Applies settings and returns those that are in use afterwards. */
  change: (settings: Settings) => Promise<Settings>;
}

/** The product's own links to other sites, by their names in app/routes.json. */
const LINKS: readonly string[] = ["designSystem", "faq"];

export function useSettings(): LiveSettings {
  const { props, tableMenu } = useContext(AppContext);
  const [settings, set] = useState(props.settings);
  const [fromServer, setFromServer] = useState<readonly MenuNode[]>(props.menu);
  const [fromTable, setFromTable] = useState(tableMenu);
  const whole = settings.menuFromServer || !fromTable ? fromServer : fromTable;
  const menu = useMemo(() => (settings.links ? whole : whole.filter(({ name }) => !LINKS.includes(name))), [whole, settings.links]);

  // An open drawer keeps the first function, so `change` reads the settings through a ref.
  const live = useRef(settings);
  const change = useCallback(
    async (next: Settings): Promise<Settings> => {
      if (next.menuFromServer && !live.current.menuFromServer) {
        // Fetched before the switch: if the menu cannot be fetched, the page stays as it is.
        const { code, data } = await envelope<ServerNode[]>("GET", "/menu/listByToken");
        if (code !== "0000") return live.current;
        setFromServer(menusOf(data));
      }
      if (!next.menuFromServer && live.current.menuFromServer) {
        const site = await loadSite().catch(() => null);
        if (!site) return live.current;
        setFromTable(site.tableMenu(props));
      }
      void applySettings(live.current, next);
      live.current = next;
      set(next);
      return next;
    },
    [props],
  );
  return { settings, menu, change };
}

/** The tree without its permission points. */
function menusOf(nodes: readonly ServerNode[]): MenuNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== 1) return [];
    const children = menusOf(node.children ?? []);
    return [{ ...node, type: 1, children: children.length > 0 ? children : null }];
  });
}
