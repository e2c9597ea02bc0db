/**
 * The viewer's menu: real links in groups that are `<details>`, so that it opens, closes and leads
 * on before scripts have arrived. The group of the current page is open; groups once open stay so.
 */

import { useEffect, useRef, useState, type PointerEvent } from "react";
import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";
import { Icon, isIconName } from "../ui/icon";
import { inOrder } from "./trail";

interface MenuProps {
  nodes: readonly MenuNode[];
  /** The current page's entry and the groups above it. */
  trail: readonly MenuNode[];
  isCollapsed: boolean;
}

export function Menu({ nodes, trail, isCollapsed }: MenuProps) {
  const t = useT();
  return (
    <nav className="app-menu" aria-label={t("shell.menu")}>
      <ul>{entries(nodes, trail, 0, isCollapsed)}</ul>
    </nav>
  );
}

/** One level of the tree; plain function calls, since sixty components would slow the render down. */
function entries(nodes: readonly MenuNode[], trail: readonly MenuNode[], depth: number, isCollapsed: boolean) {
  const here = trail[depth];
  return inOrder(nodes)
    .filter(isShown)
    .map((node) => (
      <li key={node.id}>
        {node.children ? (
          <Group node={node} isCurrent={node === here} isCollapsed={isCollapsed && depth === 0}>
            {entries(node.children, node === here ? trail : [], depth + 1, isCollapsed)}
          </Group>
        ) : node.external === null ? (
          <a href={node.path} aria-current={node === here ? "page" : undefined} title={isCollapsed && depth === 0 ? node.title : undefined}>
            {icon(node, depth)}
            <span>{node.title}</span>
          </a>
        ) : (
          <External node={node} depth={depth} />
        )}
      </li>
    ));
}

/** A group with nothing to show is no entry either. */
function isShown({ hidden, children }: MenuNode): boolean {
  return !hidden && (children === null || children.some(isShown));
}

function External({ node, depth }: { node: MenuNode; depth: number }) {
  const t = useT();
  return (
    <a href={node.external ?? ""} target="_blank" rel="noopener noreferrer">
      {icon(node, depth)}
      <span>
        {node.title}
        <span className="sr-only"> ({t("shell.newWindow")})</span>
      </span>
      <Icon name="link" className="app-menu-mark" />
    </a>
  );
}

interface GroupProps {
  node: MenuNode;
  isCurrent: boolean;
  /** The menu is a narrow strip: the group's entries fly out beside it. */
  isCollapsed: boolean;
  children: React.ReactNode;
}

function Group({ node, isCurrent, isCollapsed, children }: GroupProps) {
  const details = useRef<HTMLDetailsElement>(null);
  // React sets `open` at the first render only; after that the element keeps its own state.
  const [startsOpen] = useState(isCurrent && !isCollapsed);
  useEffect(() => {
    if (details.current) details.current.open = isCurrent && !isCollapsed ? true : details.current.open && !isCollapsed;
  }, [isCurrent, isCollapsed]);

  const flyOut = (event: PointerEvent<HTMLDetailsElement>) => {
    const group = event.currentTarget;
    group.style.setProperty("--flyout-top", `${group.getBoundingClientRect().top}px`);
    if (event.pointerType === "mouse") group.open = true;
  };
  const fold = (event: PointerEvent<HTMLDetailsElement>) => {
    if (event.pointerType === "mouse") event.currentTarget.open = false;
  };

  return (
    <details
      ref={details}
      open={startsOpen}
      className={isCurrent ? "is-current" : undefined}
      onPointerEnter={isCollapsed ? flyOut : undefined}
      onPointerLeave={isCollapsed ? fold : undefined}
    >
      <summary title={isCollapsed ? node.title : undefined}>
        {icon(node, 0)}
        <span>{node.title}</span>
        <Icon name="chevron-down" className="app-menu-mark" />
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

/** Top entries have an icon; entries inside a group have none. */
function icon(node: MenuNode, depth: number) {
  return depth === 0 ? <Icon name={isIconName(node.icon) ? node.icon : "list"} /> : null;
}
