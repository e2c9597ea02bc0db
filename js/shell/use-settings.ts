/**
 * The settings of this page: the server's until the drawer changes them, and again
 * after the page is reloaded. The menu depends on them.
 */

import { useCallback, useContext, useMemo, useRef, useState } from "react";
import { envelope } from "../lib/api";
import type { MenuNode as ServerNode, Settings } from "../lib/api-types";
import { AppContext } from "../lib/app-context";
import type { MenuNode } from "../lib/types";
import { applySettings } from "./apply-settings";
import { opens } from "./loads";
import { menuOfTable } from "./routes";

export interface LiveSettings {
  settings: Settings;
  /** What the sider shows. */
  menu: readonly MenuNode[];
  /** Applies settings and returns those that are in use afterwards. */
  change: (settings: Settings) => Promise<Settings>;
}

export function useSettings(): LiveSettings {
  const { props } = useContext(AppContext);
  const [settings, set] = useState(props.settings);
  const [fromServer, setFromServer] = useState<readonly MenuNode[]>(props.menu);
  const menu = useMemo(() => {
    if (settings.menuFromServer) return fromServer;
    return menuOfTable(props.locale, (name) => opens(name, props));
  }, [settings.menuFromServer, fromServer, props]);

  // An open drawer keeps the first function, so `change` reads the settings through a ref.
  const live = useRef(settings);
  const change = useCallback(async (next: Settings): Promise<Settings> => {
    if (next.menuFromServer && !live.current.menuFromServer) {
      // Fetched before the switch: if the menu cannot be fetched, the page stays as it is.
      const { code, data } = await envelope<ServerNode[]>("GET", "/menu/listByToken");
      if (code !== "0000") return live.current;
      setFromServer(menusOf(data));
    }
    void applySettings(live.current, next);
    live.current = next;
    set(next);
    return next;
  }, []);
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
