/** Finding one's place in the menu tree. */

import type { MenuNode } from "../lib/types";

/** The nodes from the top of the menu down to the entry of a route; empty when it has none. */
export function findTrail(menu: readonly MenuNode[], name: string): MenuNode[] {
  for (const node of menu) {
    if (node.name === name) return [node];
    if (node.children) {
      const below = findTrail(node.children, name);
      if (below.length > 0) return [node, ...below];
    }
  }
  return [];
}

/** The first entry that opens a page of the product: the viewer's first page, and the tab that stays. */
export function firstPage(menu: readonly MenuNode[]): MenuNode | null {
  for (const node of inOrder(menu)) {
    if (node.hidden) continue;
    const page = node.children ? firstPage(node.children) : node.external === null ? node : null;
    if (page) return page;
  }
  return null;
}

/** The nodes by their order number: the same array when they are in order already. */
export function inOrder(nodes: readonly MenuNode[]): readonly MenuNode[] {
  for (let i = 1; i < nodes.length; i++) {
    if (nodes[i - 1]!.order > nodes[i]!.order) return [...nodes].sort((a, b) => a.order - b.order);
  }
  return nodes;
}
