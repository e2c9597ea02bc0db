/**
 * The HTML of the viewer's menu, as text: it is the same on all pages of a role but for the mark of the current page,
 * so it is written once and not rendered with each page.
 */

import { escapeHtml } from "../lib/html";
import type { MenuNode } from "../lib/types";
import { iconHtml, isIconName } from "../ui/icon";
import { inOrder } from "./trail";

/** Writes the whole menu, with no page marked. `newWindow` is said of links that lead out of the product. */
export function menuHtml(nodes: readonly MenuNode[], newWindow: string): string {
  return list(nodes, 0, newWindow);
}

/** Marks the page at the end of the trail, and the groups above it; those that are not folded away are open. */
export function markCurrent(html: string, trail: readonly MenuNode[], isCollapsed: boolean): string {
  return trail.reduce((marked, node, depth) => {
    const start = node.children ? groupStart(node) : linkStart(node);
    const isOpen = !(isCollapsed && depth === 0);
    const mark = node.children ? ` class="is-current"${isOpen ? " open" : ""}` : ' aria-current="page"';
    return marked.replace(start, () => start + mark);
  }, html);
}

const linkStart = ({ path }: MenuNode) => `<a href="${escapeHtml(path)}"`;
const groupStart = ({ id }: MenuNode) => `<details data-group="${id}"`;

/** Without the end tags of entries, which HTML does not need. */
function list(nodes: readonly MenuNode[], depth: number, newWindow: string): string {
  const entries = inOrder(nodes).filter(isShown);
  return `<ul>${entries.map((node) => `<li>${entry(node, depth, newWindow)}`).join("")}</ul>`;
}

/** Names of the top entries are their tooltips too: of a collapsed menu only the icons are seen. */
function entry(node: MenuNode, depth: number, newWindow: string): string {
  const name = escapeHtml(node.title);
  const title = depth === 0 ? ` title="${name}"` : "";
  const icon = (name: string | null) => iconHtml(isIconName(name) ? name : "list");
  if (node.children) {
    const below = list(node.children, depth + 1, newWindow);
    return `${groupStart(node)}><summary${title}>${icon(node.icon)}<span>${name}</span></summary>${below}</details>`;
  }
  const shown = depth === 0 ? icon(node.icon) : "";
  // Below the top entries are dozens: there the name needs no element of its own.
  if (node.external === null) return `${linkStart(node)}${title}>${depth === 0 ? `${shown}<span>${name}</span>` : name}</a>`;
  const words = `<span>${name}<span class="sr-only"> (${escapeHtml(newWindow)})</span></span>`;
  const mark = iconHtml("link", "app-menu-mark");
  return `<a href="${escapeHtml(node.external)}" target="_blank" rel="noopener noreferrer"${title}>${shown}${words}${mark}</a>`;
}

/** A group with nothing to show is no entry either. */
function isShown({ hidden, children }: MenuNode): boolean {
  return !hidden && (children === null || children.some(isShown));
}
