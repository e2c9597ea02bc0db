/** Where a login leads. */

import { api, ApiError } from "../../lib/api";
import { formatQuery } from "../../lib/query-string";
import type { MenuNode } from "../../lib/types";
import { findRoute } from "../../shell/routes";
import { firstPage } from "../../shell/trail";

/** The open page for a viewer whose menu has none, or could not be fetched. */
const HOME = "/home";

/**
 * The address of the route that was asked for, with its query; without one, or when the name is no
 * route of ours with an address of its own, the first page of the viewer's menu.
 */
export async function pageAfterLogin(redirect: string, query: Readonly<Record<string, string>>): Promise<string> {
  const path = findRoute(redirect)?.path;
  if (path && path !== "/login" && !path.includes(":")) return path + formatQuery(query);
  try {
    const menu = await api.get<WireNode[]>("/menu/listByToken");
    return firstPage(pagesOnly(menu))?.path ?? HOME;
  } catch (error) {
    if (error instanceof ApiError) return HOME;
    throw error;
  }
}

type WireNode = Omit<MenuNode, "type" | "children"> & { type: number; children?: WireNode[] | null };

/** The menu without its permission points; a node that has nothing else below it has no children. */
function pagesOnly(nodes: readonly WireNode[]): MenuNode[] {
  return nodes
    .filter((node) => node.type === 1)
    .map((node) => {
      const children = pagesOnly(node.children ?? []);
      return { ...node, type: 1, children: children.length > 0 ? children : null };
    });
}
