/**
 * The viewer's menu: real links in groups that are `<details>`, so that it opens, closes and leads
 * on before scripts have arrived. The group of the current page is open; groups once open stay so.
 *
 * Its inside is text to React: rendering and hydrating some two hundred elements with each page would cost more than the
 * page's own rows. Links work by the listener of the document (navigation.ts), the rest by the events of the menu.
 */

import { useContext, useLayoutEffect, useMemo, useRef, type PointerEvent } from "react";
import { AppContext } from "../lib/app-context";
import type { MenuNode } from "../lib/types";
import { markCurrent, menuHtml } from "./menu-html";

interface MenuProps {
  nodes: readonly MenuNode[];
  /** The current page's entry and the groups above it. */
  trail: readonly MenuNode[];
  isCollapsed: boolean;
}

export function Menu({ nodes, trail, isCollapsed }: MenuProps) {
  const { t, role } = useContext(AppContext);
  const place = useRef<HTMLElement>(null);
  const html = nodes === role.menu ? role.menuHtml : menuHtml(nodes, t("shell.newWindow"));
  // The mark of the first page only: later ones are marked in place, so that open groups stay open.
  const inside = useMemo(() => ({ __html: markCurrent(html, trail, isCollapsed) }), [html]);
  const now: Marked = { ids: trail.map(({ id }) => id).join(" "), isCollapsed };
  const last = useRef(now);
  useLayoutEffect(() => {
    mark(place.current!, trail.at(-1), now, last.current);
    last.current = now;
  }, [inside, now.ids, isCollapsed]);

  const flyOut = (event: PointerEvent<HTMLElement>) => {
    const group = groupOf(event);
    if (!group) return;
    group.style.setProperty("--flyout-top", `${group.getBoundingClientRect().top}px`);
    if (event.pointerType === "mouse") group.open = true;
  };
  const fold = (event: PointerEvent<HTMLElement>) => {
    const group = groupOf(event);
    if (group && event.pointerType === "mouse") group.open = false;
  };

  return (
    <nav
      ref={place}
      className="app-menu"
      aria-label={t("shell.menu")}
      onPointerOver={isCollapsed ? flyOut : undefined}
      onPointerOut={isCollapsed ? fold : undefined}
      dangerouslySetInnerHTML={inside}
      suppressHydrationWarning
    />
  );
}

/** The top group that the pointer enters or leaves. */
function groupOf({ target, relatedTarget }: PointerEvent<HTMLElement>): HTMLDetailsElement | null {
  const group = (target as Element).closest<HTMLDetailsElement>(".app-menu > ul > li > details");
  return group?.contains(relatedTarget as Node | null) ? null : group;
}

/** What is marked: ids of the trail's nodes, and whether the menu is a strip. */
interface Marked {
  ids: string;
  isCollapsed: boolean;
}

/**
 * Marks the current page's entry and its groups. A group that becomes the current one opens, and a top group closes when the
 * menu becomes a strip; all others stay as they are.
 */
function mark(menu: HTMLElement, page: MenuNode | undefined, now: Marked, before: Marked): void {
  for (const link of menu.querySelectorAll("a:not([target])")) {
    if (page && !page.children && link.getAttribute("href") === page.path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const [current, known] = [now.ids.split(" "), before.ids.split(" ")];
  for (const group of menu.querySelectorAll<HTMLDetailsElement>("details")) {
    const id = group.dataset["group"]!;
    const isTop = group.matches(".app-menu > ul > li > details");
    const isCurrent = current.includes(id);
    group.classList.toggle("is-current", isCurrent);
    if (isCurrent === known.includes(id) && !(isTop && now.isCollapsed !== before.isCollapsed)) continue;
    const isStrip = isTop && now.isCollapsed;
    group.open = !isStrip && (isCurrent || group.open);
  }
}
